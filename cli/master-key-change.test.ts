import { randomBytes } from 'node:crypto'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withDeps } from '../activities/deps.ts'
import { resealValues } from '../activities/upkeep/reseal-values.ts'
import { createAccount } from '../commands/accounts/create-account.ts'
import { openDatabase, type Database } from '../db/database.ts'
import type { Beats } from '../db/playback/beats.ts'
import { findMasterKeyHolders } from '../db/secrets/master-key-holders.ts'
import { countSealedValues } from '../db/secrets/sealed-values.ts'
import type { ResealBatch, ResealPosition } from '../domain/master-key-rotation.ts'
import { checkMasterKeys, holdMasterKeys } from '../processes/open-master-keys.ts'
import { parseMasterKeys } from '../security/sealing/sealing.ts'
import { cliHarness } from '../test/fixtures/cli.ts'
import { createTestDatabase, type TestDatabase } from '../test/infrastructure/services.ts'
import { until } from '../test/infrastructure/wait-for.ts'

interface Step {
  step: string
  versions: number[]
  next: string
}

let database: TestDatabase
let db: Database
let folder: string
let file: string
let running: Beats | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-master-key-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  database = await createTestDatabase()
  db = await openDatabase({ url: database.url, poolSize: 4 })
  file = join(await mkdtemp(join(folder, 'one-')), 'master_key')
  await writeFile(file, `${newKey()}\n`)
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  await db.close(true)
  await database.drop()
})

const newKey = () => randomBytes(32).toString('hex')
const em = () => db.em.fork()
const text = () => readFile(file, 'utf8')
const keysOfFile = async () => parseMasterKeys((await text()).trim())
const reelgate = (...args: string[]) =>
  cliHarness({ DATABASE_URL: database.url, TEMPORAL_ADDRESS: '127.0.0.1:1' })('master-key', ...args)

async function change(verb: 'begin' | 'continue'): Promise<Step> {
  const run = await reelgate(verb, '--file', file, '--json')
  expect(run).toMatchObject({ status: 0, stderr: '' })
  expect(run.stdout).not.toMatch(/[0-9a-f]{32}/)
  return run.json<Step>()
}
const refusal = async (...args: string[]) => {
  const run = await reelgate(...args, '--json')
  expect(run).toMatchObject({ status: 1, stdout: '' })
  expect(run.stderr).not.toMatch(/[0-9a-f]{32}/)
  return (JSON.parse(run.stderr) as { error: { code: string; message: string } }).error
}

/** Starts a process with the keys of the file, as each does: it ends if they are not valid here. */
async function restart(): Promise<void> {
  await running?.stop()
  const masterKeys = await keysOfFile()
  await checkMasterKeys(em(), masterKeys)
  running = holdMasterKeys(db, 'player', masterKeys)
  await until(async () => (await findMasterKeyHolders(em())).length > 0)
}

/** Seals every value under the current version, as the workflow does. */
async function sealAgain(): Promise<void> {
  const masterKeys = await keysOfFile()
  const reseal = withDeps({ db, masterKeys }, resealValues)
  let position: ResealPosition | null = null
  do {
    const input = { version: masterKeys.current, position }
    const batch: ResealBatch = await new MockActivityEnvironment().run(reseal, input)
    position = batch.next
  } while (position !== null)
}

const tenMinutesPass = () =>
  em().execute(`update master_key_holder set started_at = now() - interval '11 minutes'`)

/** Changes the key as the runbook says; resolves to the steps. */
async function changeKey(): Promise<string[]> {
  const steps = [await change('begin')]
  await restart()
  steps.push(await change('continue'))
  await restart()
  steps.push(await change('continue'))
  await sealAgain()
  steps.push(await change('continue'))
  await tenMinutesPass()
  steps.push(await change('continue'))
  await restart()
  return steps.map(({ step, versions }) => `${step} ${versions.join()}`)
}

describe('a change of the master key', () => {
  it('succeeds for the first, the second and the third time, and says which step comes next', async () => {
    await chmod(file, 0o440)
    await restart()
    await createAccount(em(), await keysOfFile(), { name: 'A', protection: 'clearkey' })
    const first = (await text()).trim()
    expect(await changeKey()).toEqual(['add 1,2', 'use 2,1', 'seal 2,1', 'wait 2,1', 'drop 2'])
    const second = (await text()).trim()
    expect(second).toMatch(/^2:[0-9a-f]{64}$/)
    expect(await changeKey()).toEqual(['add 2,3', 'use 3,2', 'seal 3,2', 'wait 3,2', 'drop 3'])
    const third = (await text()).trim()
    expect(await changeKey()).toEqual(['add 3,4', 'use 4,3', 'seal 4,3', 'wait 4,3', 'drop 4'])
    expect(new Set((await countSealedValues(em())).map(({ version }) => version))).toEqual(
      new Set([4]),
    )
    const former = `${file}.former`
    expect(await readFile(former, 'utf8')).toBe(`1:${first}\n${second}\n${third}\n`)
    expect((await stat(file)).mode & 0o777).toBe(0o440)
    expect((await stat(former)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(file, '..'))).toHaveLength(2)
  })

  it('does not go on before every process has the file', async () => {
    await restart()
    await createAccount(em(), await keysOfFile(), { name: 'A', protection: 'clearkey' })
    await change('begin')
    const late = { code: 'master_key_not_rolled_out' }
    const known = await text()
    expect(await refusal('continue', '--file', file)).toMatchObject(late)
    expect(await refusal('begin', '--file', file)).toMatchObject({
      code: 'master_key_change_running',
    })
    expect(await text()).toBe(known)
    await restart()
    await change('continue')
    expect(await refusal('continue', '--file', file)).toMatchObject(late)
  })

  it('is not over, for the other verbs, while the new version is not in use', async () => {
    await restart()
    const masterKey = async () => ({ MASTER_KEY: (await text()).trim() })
    await change('begin')
    await restart()
    const rotate = cliHarness({ DATABASE_URL: database.url, ...(await masterKey()) })
    expect((await rotate('master-key', 'rotate')).stdout).toBe(
      'Nothing is sealed under another version than 1. Version 2 is known and not in use: ' +
        'when every process has it, reelgate master-key continue makes it the current one.',
    )
    expect((await rotate('master-key', 'status', '--json')).json()).toMatchObject({
      droppable_versions: [],
      next_version: 2,
    })
  })

  it('takes a version that was never used, also if a change before was given up', async () => {
    await restart()
    const before = await text()
    await change('begin')
    await restart()
    await writeFile(file, before)
    await restart()
    expect(await change('begin')).toMatchObject({ versions: [1, 3] })
  })

  it('changes one variable of an .env file, through a link', async () => {
    const key = (await text()).trim()
    const env = `# MASTER_KEY=${newKey()}\nMASTER_KEY="1:${key}"\nAPI_DOMAIN=a.example\n`
    const target = join(file, '..', 'production.env')
    await writeFile(target, env, { mode: 0o600 })
    await rm(file)
    await symlink('production.env', file)
    await change('begin')
    expect(await readFile(target, 'utf8')).toMatch(
      new RegExp(env.replace(`"1:${key}"`, `"1:${key},2:[0-9a-f]{64}"`)),
    )
    expect((await stat(target)).mode & 0o777).toBe(0o600)
  })

  it('refuses a file that is missing, not that of the database, or not to be written', async () => {
    await restart()
    await createAccount(em(), await keysOfFile(), { name: 'A', protection: 'clearkey' })
    const unusable = { code: 'master_key_file_unusable' }
    expect(await refusal('begin', '--file', join(folder, 'none'))).toMatchObject(unusable)
    const other = join(folder, 'other')
    await writeFile(other, `1:2:${newKey()}`)
    expect(await refusal('begin', '--file', other)).toMatchObject({ code: 'master_key_unusable' })
    await writeFile(other, newKey())
    expect(await refusal('begin', '--file', other)).toMatchObject({ code: 'master_key_unusable' })
    await mkdir(`${file}.d`)
    expect(await refusal('begin', '--file', `${file}.d`)).toMatchObject(unusable)
    const withVariable = cliHarness({ DATABASE_URL: database.url, MASTER_KEY: newKey() })
    expect((await withVariable('master-key', 'begin')).stderr).toContain('Name the file')
  })
})
