import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { createKey } from '../commands/accounts/api-keys.ts'
import { createAccount } from '../commands/accounts/create-account.ts'
import { openDatabase, type EntityManager } from '../db/database.ts'
import { Account } from '../db/entities/account.ts'
import { SCOPES } from '../domain/accounts/scopes.ts'
import { checkMasterKeys } from '../processes/open-master-keys.ts'
import { parseMasterKeys, type MasterKeys } from '../security/sealing/sealing.ts'

/** The first account of a data folder, and its API key with every scope. */
export interface FirstAccount {
  accountId: number
  apiKey: string
  /** True only at the start that created the key. */
  isNew: boolean
}

/**
 * Returns the configured master key, or that of `dataDir`, which the first start creates. Throws if
 * a data folder that was used before has lost its key.
 */
export function readOrMakeMasterKey(dataDir: string, configured: string | undefined): string {
  if (configured !== undefined) return configured
  const path = join(dataDir, 'master.key')
  if (!existsSync(path) && existsSync(join(dataDir, 'postgres'))) {
    throw new Error(
      `${path} is missing, and without it no stored secret can be decrypted: put it back`,
    )
  }
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600 })
  return readFileSync(path, 'utf8').trim()
}

/** Throws unless a master key is configured or in `dataDir`: a backup holds none, and a new one opens nothing. */
export function requireMasterKey(dataDir: string, configured: string | undefined): void {
  const path = join(dataDir, 'master.key')
  if (configured === undefined && !existsSync(path))
    throw new Error(`a backup holds no master key: put that of the installation into ${path}`)
}

/**
 * Creates an account, its plan and an API key unless `dataDir` has them. After a restore, whose API keys are known
 * by their hashes only, creates just a key for the first account. Later starts read the key
 * from `first-account.json`, which only its owner can read. Throws a SealingError if the master key
 * is not that of the database.
 */
export async function ensureFirstAccount(options: {
  dataDir: string
  databaseUrl: string
  masterKey: string
  isRestored?: boolean
}): Promise<FirstAccount> {
  const path = join(options.dataDir, 'first-account.json')
  const database = await openDatabase({ url: options.databaseUrl, poolSize: 2 })
  try {
    const em = database.em.fork()
    const masterKeys = parseMasterKeys(options.masterKey)
    await checkMasterKeys(em, masterKeys)
    const known = readKnown(path)
    // DATABASE_URL may name another database than last time.
    if (known && (await em.findOne(Account, { id: known.accountId }))) {
      return { ...known, isNew: false }
    }
    const [first] = options.isRestored ? await em.find(Account, {}, FIRST) : []
    const made = first ? await makeKey(em, first.id) : await makeAccount(em, masterKeys)
    writeFileSync(path, `${JSON.stringify(made)}\n`, { mode: 0o600 })
    return { ...made, isNew: true }
  } finally {
    await database.close(true)
  }
}

const FIRST = { orderBy: { id: 'asc' }, limit: 1 } as const

type Known = z.infer<typeof knownSchema>

const knownSchema = z.object({ accountId: z.number(), apiKey: z.string() })

function readKnown(path: string): Known | null {
  return existsSync(path) ? knownSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : null
}

async function makeAccount(em: EntityManager, masterKeys: MasterKeys): Promise<Known> {
  const plan = { name: 'First account', protection: 'clearkey' } as const
  return makeKey(em, await createAccount(em, masterKeys, plan))
}

async function makeKey(em: EntityManager, accountId: number): Promise<Known> {
  const apiKey = await createKey(em, { accountId, scopes: [...SCOPES], name: 'first start' })
  return { accountId, apiKey }
}
