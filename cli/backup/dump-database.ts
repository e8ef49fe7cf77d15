import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Snapshot } from '../../db/backup/snapshot.ts'
import type { Database, EntityManager } from '../../db/database.ts'
import { knownMigrations, readMigrations } from '../../db/migrate.ts'
import { readFingerprints } from '../../db/secrets/master-keys.ts'
import { countSealedValues } from '../../db/secrets/sealed-values.ts'
import { CliError } from '../errors.ts'
import { tableFileOf } from './backup-folder.ts'
import { digesting } from './hash.ts'
import type { Manifest } from './manifest.ts'

/** Writes each table of a snapshot to its file in the folder of a backup. */
export async function dumpTables(snapshot: Snapshot, path: string): Promise<Manifest['tables']> {
  const tables: Manifest['tables'] = []
  for (const table of snapshot.tables) {
    const rows = snapshot.copyOut(table)
    const { stream, digest } = digesting()
    const file = createWriteStream(tableFileOf(path, table.name), {
      flags: 'wx',
      mode: 0o600,
      flush: true,
    })
    await pipeline(rows, createGzip({ level: 3 }), stream, file)
    tables.push({ ...table, rows: rows.rowCount, file: digest() })
  }
  return tables
}

/** The applied migrations. Throws a CliError unless they are those of this version, whose tables a dump has. */
export async function requireSameSchema(db: Database, em: EntityManager): Promise<string[]> {
  const [applied, known] = [await readMigrations(em), knownMigrations(db)]
  const other = [
    ...applied.filter((name) => !known.includes(name)),
    ...known.filter((name) => !applied.includes(name)),
  ]
  if (other.length === 0) return applied
  throw new CliError(
    `The database has the schema of another version (${other.join(', ')}): run the backup of that version, or migrate first.`,
    { code: 'database_not_migrated' },
  )
}

/** The versions of the master key that sealed values need, with their fingerprints. */
export async function readMasterKeyFacts(em: EntityManager): Promise<Manifest['master_keys']> {
  const fingerprints = await readFingerprints(em)
  const counts = new Map<number, number>()
  for (const { version, count } of await countSealedValues(em))
    if (version !== null) counts.set(version, (counts.get(version) ?? 0) + count)
  return [...counts].map(([version, count]) => ({
    version,
    fingerprint: fingerprints.get(version) ?? null,
    sealed_values: count,
  }))
}
