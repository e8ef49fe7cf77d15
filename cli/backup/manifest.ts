import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { parseJson } from '../../domain/parse-json.ts'
import { readSystemError } from '../../processes/system-error.ts'
import { CliError } from '../errors.ts'
import { damaged } from './errors.ts'

/** Grows when an older version could not restore a backup any more. */
const FORMAT = 1

const digestSchema = z.object({
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/)
const videoId = z.string().regex(/^[0-9a-f]{20}$/)

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** The time of its start: `20261123T061500123Z`. */
  name: z.string().regex(/^\d{8}T\d{9}Z$/),
  /** When the snapshot of the database was taken. */
  taken_at: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.string()),
  /** The versions of the master key in use, with what tells a wrong key (ADR 0006). Keys are not in a backup. */
  master_keys: z.array(
    z.object({
      version: z.int(),
      fingerprint: z.string().nullable(),
      sealed_values: z.int(),
    }),
  ),
  /** Each with its file `database/<name>.copy.gz`. */
  tables: z.array(
    z.object({
      name: identifier,
      columns: z.array(identifier),
      rows: z.int(),
      file: digestSchema,
    }),
  ),
  sequences: z.array(z.object({ name: identifier, last_value: z.int().nullable() })),
  /** None in backups from before tables had partitions. */
  partitions: z
    .array(
      z.object({
        table: identifier,
        name: identifier,
        bound: z
          .string()
          .regex(/^FOR VALUES FROM \((MINVALUE|'[\d :.+-]+')\) TO \('[\d :.+-]+'\)$/),
        opened_at: z.iso.datetime().nullable(),
      }),
    )
    .default([]),
  videos: z.int(),
  objects: z.object({ count: z.int(), bytes: z.int(), list: digestSchema }),
  /** Videos that were deleted while the backup ran, or just before: a restore deletes them. */
  deleted_videos: z.array(videoId),
  /** Videos without all their objects when they were backed up. */
  incomplete_videos: z.array(videoId),
})

/** What a backup holds. It is written last, so a backup with a manifest is complete. */
export type Manifest = z.infer<typeof manifestSchema>

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Formats a manifest with its own checksum. */
export function formatManifest(manifest: Omit<Manifest, 'format'>): string {
  const content = { format: FORMAT, ...manifest }
  return `${JSON.stringify({ manifest: content, sha256: sha256Of(JSON.stringify(content)) }, null, 2)}\n`
}

const envelopeSchema = z.object({
  manifest: z.looseObject({ format: z.int() }),
  sha256: z.string(),
})

/** Reads a manifest. Throws a CliError if it was altered, or if only a newer version can read it. */
export async function readManifest(path: string): Promise<Manifest> {
  const envelope = envelopeSchema.safeParse(parseJson(await readText(path)))
  if (!envelope.success) throw damaged(path, 'cannot be read')
  const { manifest, sha256 } = envelope.data
  if (sha256Of(JSON.stringify(manifest)) !== sha256)
    throw damaged(path, 'does not have its checksum')
  if (manifest.format > FORMAT)
    throw new CliError(`The backup was made by a newer version of Reelgate (${path}).`, {
      code: 'backup_newer',
    })
  const parsed = manifestSchema.safeParse(manifest)
  if (!parsed.success) throw damaged(path, 'lacks a field')
  return parsed.data
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (readSystemError(error).code === 'ENOENT') throw damaged(path, 'is missing')
    throw error
  }
}
