import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAccount } from '../commands/accounts/create-account.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { Account } from '../db/entities/account.ts'
import { MasterKey } from '../db/entities/process.ts'
import { exactlyOne } from '../db/queries.ts'
import { pinnedNode, projectDir } from '../scripts/bootstrap/tools.mjs'
import { freePort } from '../scripts/embedded/ports.ts'
import { ensureFirstAccount } from '../scripts/first-start.ts'
import { parseMasterKeys, seal, SealingError } from '../security/sealing/sealing.ts'
import { endpointSecretContext, signingSecretContext } from '../security/sealing/secret-contexts.ts'
import { insertPublishedVideo } from '../test/fixtures/published-video.ts'
import { someOf } from '../test/infrastructure/every-case.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'
import { openSilentProxy, throughProxy } from '../test/infrastructure/silent-proxy.ts'
import { checkMasterKeys, openMasterKeys } from './open-master-keys.ts'

const newKey = () => randomBytes(32).toString('hex')
const ACCOUNT = { name: 'A', protection: 'clearkey', storageLimitBytes: null } as const
let database: TestDatabase
let db: Database

beforeEach(async () => {
  database = await createTestDatabase()
  db = await openDatabase({ url: database.url, poolSize: 4 })
})
afterEach(async () => {
  await db.close(true)
  await database.drop()
})

const check = (text: string) => checkMasterKeys(db.em.fork(), parseMasterKeys(text))
const isRefused = (text: string, version: number) =>
  expect(check(text)).rejects.toThrow(`The master key of version ${version} is not the one`)
const recorded = () => db.em.fork().findAll(MasterKey, { orderBy: { version: 'asc' } })
const setSecret = (sealedSigningSecret: string) =>
  db.em.fork().nativeUpdate(Account, { id: { $gt: 0 } }, { sealedSigningSecret })
const sealUnder = (text: string) => createAccount(db.em.fork(), parseMasterKeys(text), ACCOUNT)

describe('a master key', () => {
  it('is recorded by its fingerprint at its first use and then the only valid key of its version', async () => {
    const key = newKey()
    await check(key)
    await check(key)
    const rows = await recorded()
    expect(rows).toMatchObject([
      { version: 1, fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ])
    expect(key).not.toContain(rows[0]?.fingerprint)
    await isRefused(newKey(), 1)
    expect(await recorded()).toEqual(rows)
  })

  it('is the first one recorded if processes start with different keys at the same time', async () => {
    const keys = Array.from({ length: 4 }, newKey)
    const outcomes = await Promise.allSettled(keys.map(check))
    const accepted = outcomes.flatMap(({ status }, index) =>
      status === 'fulfilled' ? [index] : [],
    )
    expect(accepted).toHaveLength(1)
    for (const [index, key] of keys.entries())
      await (index === accepted[0] ? check(key) : isRefused(key, 1))
  })

  it('is rotated with a new version, and each version has its own key', async () => {
    const [first, second] = [newKey(), newKey()]
    await check(first)
    await check(`2:${second},1:${first}`)
    await check(`1:${first},2:${second}`)
    await isRefused(`2:${newKey()},1:${first}`, 2)
    await isRefused(`2:${second},1:${newKey()}`, 1)
    expect(await recorded()).toHaveLength(2)
  })

  it('can be dropped when no value needs it any more, and not before', async () => {
    const [first, second] = [newKey(), newKey()]
    await check(first)
    const id = await sealUnder(first)
    await check(`2:${second},1:${first}`)
    await expect(check(`2:${second}`)).rejects.toThrow(
      /^Stored secrets \(signing-secret\) need version 1 .* MASTER_KEY=2:<key>,1:<key>/,
    )
    const sealed = seal(parseMasterKeys(`2:${second}`), 'secret', signingSecretContext(id))
    await setSecret(sealed)
    await check(`2:${second}`)
    // Altered text names no version: no key would open it.
    await setSecret('altered')
    await check(`2:${second}`)
  })
})

describe('a database without fingerprints', () => {
  const refusesOthers = async (key: string, ...others: string[]) => {
    const more = others.map((other) => `,${other}`).join('')
    await isRefused(newKey() + more, 1)
    expect(await recorded()).toEqual([])
    if (others.length > 0) await expect(check(key)).rejects.toThrow('need version 3')
    expect(await recorded()).toEqual([])
    await check(`2:${newKey()},1:${key}${more}`)
    expect(await recorded()).toHaveLength(2 + others.length)
  }

  it('accepts only the key that decrypts its signing secrets', async () => {
    const key = newKey()
    await sealUnder(key)
    await refusesOthers(key)
  })

  it('accepts only the key that decrypts its content keys', async () => {
    const key = newKey()
    const masterKeys = parseMasterKeys(key)
    await insertPublishedVideo(db, { masterKeys, signingSecret: 'secret' }, { title: 'A' })
    // The account's own secret is of version 3: only the content key is of version 1.
    const account = exactlyOne(await db.em.fork().findAll(Account))
    const third = `3:${newKey()}`
    await setSecret(seal(parseMasterKeys(third), 'secret', signingSecretContext(account.id)))
    await refusesOthers(key, third)
  })

  it('accepts only the key that decrypts its endpoint secrets', async () => {
    const key = newKey()
    // The account's own secret is of version 3: only the endpoint's is of version 1.
    const third = `3:${newKey()}`
    const accountId = await sealUnder(third)
    const sealed = seal(parseMasterKeys(key), 'whsec', endpointSecretContext(accountId))
    await db.em.fork().execute(
      `insert into webhook_endpoint (account_id, url, events, sealed_secret)
       values (?, 'https://a.example/', '{video.ready}', ?)`,
      [accountId, sealed],
    )
    await refusesOthers(key, third)
  })
})

describe('every process with a wrong master key', () => {
  const scripts = [
    'api/server.ts',
    'player/server/main.ts',
    'dashboard/server/main.ts',
    'worker.ts',
  ]

  it('ends at once with the variable in one line if it is malformed, and does not wait for PostgreSQL', async () => {
    const away = `postgres://a@127.0.0.1:${await freePort()}/a`
    const dataDir = await mkdtemp(join(tmpdir(), 'reelgate-key-'))
    const start = (script: string) =>
      execa(pinnedNode, ['--no-warnings', script], {
        cwd: projectDir,
        env: { DATABASE_URL: away, MASTER_KEY: `${newKey()}00`, REELGATE_DATA_DIR: dataDir },
        reject: false,
        // Without an end it would wait for ever.
        timeout: 60_000,
      })
    for (const run of await Promise.all(someOf(scripts, 2).map(start)))
      expect(run).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr:
          'MASTER_KEY is not usable: each master key is 64 hex characters, or VERSION:HEX. ' +
          'Several are separated by commas.',
      })
    await rm(dataDir, { recursive: true })
  }, 90_000)

  it('does not start, and reports the wrong version with advice in one line', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'reelgate-key-'))
    await sealUnder(newKey())
    const wrong = newKey()
    const start = async (script: string) => {
      const port = String(await freePort())
      return execa(pinnedNode, ['--no-warnings', script], {
        cwd: projectDir,
        env: {
          DATABASE_URL: database.url,
          MASTER_KEY: wrong,
          REELGATE_DATA_DIR: dataDir,
          API_PORT: port,
          PLAYER_PORT: port,
          DASHBOARD_PORT: port,
          LOG_LEVEL: 'silent',
        },
        reject: false,
        timeout: 120_000,
      })
    }
    for (const run of await Promise.all(scripts.map(start))) {
      expect(run).toMatchObject({ exitCode: 1, stdout: '' })
      expect(run.stderr).toMatch(/^The master key of version 1 [^\n]+MASTER_KEY=2:[^\n]+$/)
      expect(run.stderr).not.toContain(wrong)
    }
    await rm(dataDir, { recursive: true })
  }, 150_000)

  it('creates no first account', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'reelgate-key-'))
    await sealUnder(newKey())
    const first = { dataDir, databaseUrl: database.url, masterKey: newKey() }
    await expect(ensureFirstAccount(first)).rejects.toThrow(SealingError)
    expect(await db.em.fork().execute('select 1 from account')).toHaveLength(1)
    await rm(dataDir, { recursive: true })
  })
})

describe('a process that starts without a database', () => {
  it('waits for it', async () => {
    const { hostname, port } = new URL(database.url)
    const proxy = await openSilentProxy({ host: hostname, port: Number(port) })
    const url = throughProxy(database.url, proxy)
    const late = await openDatabase({ url, deadlines: { connectMs: 300, statementMs: 300 } })
    proxy.fallSilent()
    let warnings = 0
    const logger = pino({ level: 'warn' }, { write: () => void (warnings += 1) })
    const opening = openMasterKeys(late, parseMasterKeys(newKey()), logger)
    while (warnings < 2) await new Promise((resolve) => setTimeout(resolve, 20))
    proxy.speak()
    expect((await opening).current).toBe(1)
    await late.close(true)
    await proxy.close()
  })
})
