import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MockActivityEnvironment } from '@temporalio/testing'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withDeps } from '../activities/deps.ts'
import { resealValues } from '../activities/upkeep/reseal-values.ts'
import type { WebhookDeps } from '../activities/webhooks/webhook-activities.ts'
import { rotateSecret } from '../commands/webhooks/endpoints.ts'
import { IdempotencyRecord } from '../db/entities/account.ts'
import { RecordStore } from '../db/entities/record-store.ts'
import { VideoImport } from '../db/entities/video-import.ts'
import { Video } from '../db/entities/video.ts'
import { insertSourceKey } from '../db/ingest/write-source-keys.ts'
import { SEALED_KINDS } from '../db/secrets/sealed-columns.ts'
import { findValuesNotUnder } from '../db/secrets/sealed-values.ts'
import { startHolding } from '../db/secrets/write-master-key-holders.ts'
import { insertUpload } from '../db/uploads/write-uploads.ts'
import type { ResealBatch, ResealPosition } from '../domain/master-key-rotation.ts'
import type { SealedKind } from '../domain/sealed-value.ts'
import { ROTATION_WORKFLOW_ID } from '../domain/workflow-ids.ts'
import { checkMasterKeys } from '../processes/open-master-keys.ts'
import { pinnedNode, projectDir } from '../scripts/bootstrap/tools.mjs'
import { parseMasterKeys, seal, unseal, type MasterKeys } from '../security/sealing/sealing.ts'
import {
  contextOf,
  idempotentResponseContext,
  importAccessContext,
  recordStoreContext,
  sourceKeyContext,
  uploadSourceKeyContext,
  uploadTokenContext,
} from '../security/sealing/secret-contexts.ts'
import { cliHarness } from './fixtures/cli.ts'
import { insertPublishedVideo } from './fixtures/published-video.ts'
import { setUpRelayFixture } from './fixtures/relay.ts'
import { until, waitFor } from './infrastructure/wait-for.ts'

const options: Partial<WebhookDeps> = {}
const t = setUpRelayFixture(options)

/** MASTER_KEY at each step of a change of the key. */
let text: { old: string; oldFirst: string; newFirst: string; new: string }
let keys: Record<keyof typeof text, MasterKeys>
let folder: string

beforeAll(async () => {
  const old = `1:${t.webhooks.masterKeys.keys.get(1)?.toString('hex')}`
  const next = `2:${randomBytes(32).toString('hex')}`
  text = { old, oldFirst: `${old},${next}`, newFirst: `${next},${old}`, new: next }
  keys = {
    old: parseMasterKeys(text.old),
    oldFirst: parseMasterKeys(text.oldFirst),
    newFirst: parseMasterKeys(text.newFirst),
    new: parseMasterKeys(text.new),
  }
  folder = await mkdtemp(join(tmpdir(), 'reelgate-rotation-'))
  await t.stopWorker()
  Object.assign(options, { masterKeys: keys.newFirst, resealBatchRows: 2 })
  await t.startWorker()
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  await t.webhooks.execute(
    'truncate account, webhook_endpoint, content_key, idempotency_record, audit_entry, outbox cascade',
  )
  for (const kind of SEALED_KINDS) for (let count = 0; count < 3; count += 1) await add[kind]()
})

const em = () => t.webhooks.db.em.fork()

/** Stores a value of each kind under the old key, as a process with that key does. */
const add: Record<SealedKind, (masterKeys?: MasterKeys) => Promise<unknown>> = {
  'signing-secret': () => t.webhooks.addAccount(),
  'endpoint-secret': () => newEndpoint(),
  async 'previous-endpoint-secret'() {
    const { id, accountId } = await newEndpoint()
    for (const masterKeys of [keys.old, keys.oldFirst])
      await em().transactional((tx) => rotateSecret(tx, masterKeys, accountId, id, 3600))
  },
  async 'record-store-password'() {
    const accountId = await t.webhooks.addAccount()
    const password = seal(keys.old, 'pass', recordStoreContext(accountId))
    const place = { url: 'https://lrs.test/xapi', username: 'u', homePage: 'https://school.test' }
    await em().insert(RecordStore, { accountId, ...place, sealedPassword: password })
  },
  async 'import-access'() {
    const accountId = await t.webhooks.addAccount()
    const sealedAccess = seal(keys.old, '{}', importAccessContext(accountId))
    await em().insert(VideoImport, { accountId, atOnce: 1, lineCount: 1, sealedAccess })
  },
  'content-key': () =>
    insertPublishedVideo(
      t.webhooks.db,
      { masterKeys: keys.old, signingSecret: 'a'.repeat(64) },
      { title: 'A' },
    ),
  async 'source-key'() {
    const accountId = await t.webhooks.addAccount()
    const videoId = randomBytes(10).toString('hex')
    const video = { title: 'A', sourceUrl: 'https://source.test/', protection: 'clearkey' } as const
    await em().insert(Video, { id: videoId, accountId, ...video })
    const sealedKey = seal(keys.old, randomBytes(32), sourceKeyContext(videoId))
    await insertSourceKey(em(), { videoId, sealedKey })
  },
  'upload-source-key': () => newUpload(),
  'upload-token': () => newUpload(),
  async 'idempotent-answer'() {
    const accountId = await t.webhooks.addAccount()
    const scope = { accountId, route: 'POST /v1/videos', key: `a "key", with {every} \\ sign` }
    await em().insert(IdempotencyRecord, {
      ...scope,
      fingerprint: 'x',
      responseStatus: 201,
      sealedResponse: seal(keys.old, '{}', idempotentResponseContext(scope)),
      lockedUntil: new Date(),
    })
  },
}

async function newUpload() {
  const accountId = await t.webhooks.addAccount()
  const videoId = randomBytes(10).toString('hex')
  await insertUpload(em(), {
    accountId,
    videoId,
    filename: 'a.mp4',
    title: 'A',
    description: '',
    folderId: null,
    tokenHash: videoId,
    sealedToken: seal(keys.old, 'token', uploadTokenContext(videoId)),
    sealedKey: seal(keys.old, randomBytes(32), uploadSourceKeyContext(videoId)),
    keepOriginal: false,
    allowedOrigin: null,
    sizeBytes: 1,
    reservedBytes: 1,
    expiresInSeconds: 60,
    requestId: null,
  })
}

async function newEndpoint() {
  const accountId = await t.webhooks.addAccount()
  const { id } = await t.webhooks.addEndpoint('https://hooks.test/', { accountId })
  return { id, accountId }
}

/** Every stored value that these keys open, by kind and row. Throws if one does not open. */
async function secretsUnder(masterKeys: MasterKeys): Promise<Map<string, string>> {
  const secrets = new Map<string, string>()
  for (const kind of SEALED_KINDS) {
    const values = await findValuesNotUnder(em(), [], { kind, after: null, limit: 1e6 })
    for (const { owner, key, sealed } of values)
      secrets.set(
        `${kind} ${key.join('/')}`,
        unseal(masterKeys, sealed, contextOf(owner)).toString('base64'),
      )
  }
  return secrets
}

const reelgate = (masterKey: string) =>
  cliHarness({
    DATABASE_URL: t.webhooks.databaseUrl,
    TEMPORAL_ADDRESS: t.temporal.address,
    MASTER_KEY: masterKey,
  })

interface Status {
  version: number
  other_count: number
  percent: number
  droppable_versions: number[]
  rotation: { status: string; error: string | null } | null
}
const status = async () =>
  (await reelgate(text.newFirst)('master-key', 'status', '--json')).json<Status>()

/** Runs a rotation from the command line to its end. */
async function rotate(): Promise<Status> {
  await t.startRelay()
  const run = await reelgate(text.newFirst)('master-key', 'rotate', '--json')
  expect(run).toMatchObject({ status: 0, stderr: '' })
  expect(run.json()).toMatchObject({ is_started: true })
  await until(t.isDone)
  await t.temporal.client.workflow
    .getHandle(ROTATION_WORKFLOW_ID)
    .result()
    .catch(() => {})
  return status()
}

/** Runs the batches of one pass without a workflow. */
async function passOnce(): Promise<ResealBatch[]> {
  const reseal = withDeps(
    {
      db: t.webhooks.db,
      masterKeys: keys.newFirst,
      resealBatchRows: 2,
    },
    resealValues,
  )
  const batches: ResealBatch[] = []
  let position: ResealPosition | null = null
  do {
    const batch: ResealBatch = await new MockActivityEnvironment().run(reseal, {
      version: 2,
      position,
    })
    batches.push(batch)
    position = batch.next
  } while (position !== null)
  return batches
}
const resealedBy = (batches: ResealBatch[]) =>
  batches.reduce((sum, { resealedCount }) => sum + resealedCount, 0)

describe('a rotation of the master key', () => {
  it('seals every kind of value again, and the old key can be dropped', async () => {
    const before = await secretsUnder(keys.old)
    expect(new Set([...before.keys()].map((name) => name.split(' ')[0]))).toEqual(
      new Set(SEALED_KINDS),
    )
    expect(await status()).toMatchObject({ version: 2, percent: 0, droppable_versions: [] })
    const after = await rotate()
    expect(after).toMatchObject({
      other_count: 0,
      percent: 100,
      droppable_versions: [1],
      rotation: { status: 'completed', error: null },
    })
    expect(await secretsUnder(keys.new)).toEqual(before)
    await checkMasterKeys(em(), keys.new)
    const audit = 'select account_id, action, subject, actor_kind from audit_entry'
    expect(await t.webhooks.execute(audit)).toEqual([
      { account_id: null, action: 'master_key.rotate', subject: '2', actor_kind: 'operator' },
    ])
    const shown = await reelgate(text.newFirst)('master-key', 'status')
    expect(shown.stdout).toMatch(/^KIND +VERSION +VALUES\nsigning-secret +2 +30\n/)
    expect(shown.stdout).toMatch(/^sealed +69 of 69 values \(100 %\)\nrotation +completed$/m)
    const again = await reelgate(text.newFirst)('master-key', 'rotate')
    expect(again.stdout).toBe(
      'Nothing is sealed under another version than 2. ' +
        'MASTER_KEY no longer needs version 1, ten minutes after the last restart.',
    )
  })

  it('goes on while processes write under the old key, and finds what they wrote', async () => {
    for (let count = 0; count < 80; count += 1) await t.webhooks.addAccount()
    const write = async () => {
      for (let count = 0; count < 20; count += 1) await newEndpoint()
    }
    const [during] = await Promise.all([rotate(), write()])
    const before = await secretsUnder(keys.newFirst)
    if (during.rotation?.status === 'failed')
      expect(during.rotation.error).toMatch(/^\d+ values were sealed under another version during/)
    else expect(during.rotation?.status).toBe('completed')
    if ((await status()).other_count > 0)
      expect(await rotate()).toMatchObject({ rotation: { status: 'completed' } })
    expect(await secretsUnder(keys.new)).toEqual(before)
    // The first rotation had more batches than fit into one run.
    const query = `WorkflowId = '${ROTATION_WORKFLOW_ID}' and ExecutionStatus = 'ContinuedAsNew'`
    await until(async () => (await t.temporal.client.workflow.count(query)).count > 0)
  })

  it('reports a value that does not open by kind and row, seals the others, and can be run again', async () => {
    const before = await secretsUnder(keys.old)
    const [altered, foreign] = await t.webhooks.execute<{ id: number; sealed: string }>(
      'select id, sealed_signing_secret as sealed from account order by id limit 2',
    )
    if (!altered || !foreign) throw new Error('there are two accounts')
    const set = (id: number, sealed: string) =>
      t.webhooks.execute('update account set sealed_signing_secret = ? where id = ?', [sealed, id])
    await set(altered.id, foreign.sealed)
    await set(foreign.id, foreign.sealed.replace('v1.', 'v9.'))
    const failed = await rotate()
    expect(failed).toMatchObject({ other_count: 2, rotation: { status: 'failed' } })
    const { error } = failed.rotation ?? { error: null }
    expect(error).toBe(
      `2 values do not open: signing-secret ${altered.id} (a sealed value does not open: wrong master key or altered); ` +
        `signing-secret ${foreign.id} (there is no master key of version 9). ` +
        'All others are sealed under version 2. Restore the keys or the rows, then start the rotation again.',
    )
    expect(failed.droppable_versions).toEqual([])
    await set(altered.id, altered.sealed)
    await set(foreign.id, foreign.sealed)
    expect(await rotate()).toMatchObject({ other_count: 0, rotation: { status: 'completed' } })
    expect(await secretsUnder(keys.new)).toEqual(before)
  })

  it('does not start while a process seals under another version, and ends if a worker does', async () => {
    const holder = { process: 'player 71@host', versions: [1, 2] }
    const held = startHolding(em, holder)
    await until(
      async () => (await t.webhooks.execute('select 1 from master_key_holder')).length > 0,
    )
    const run = await reelgate(text.newFirst)('master-key', 'rotate')
    await held.stop()
    expect(run.status).toBe(1)
    expect(run.stderr).toContain('do not seal under version 2 yet: player 71@host (1, 2). Restart')
    expect(await t.webhooks.execute('select 1 from outbox')).toEqual([])
    const { db } = t.webhooks
    const reseal = withDeps({ db, masterKeys: keys.oldFirst }, resealValues)
    const attempt = (number: number) =>
      new MockActivityEnvironment({ attempt: number }).run(reseal, { version: 2, position: null })
    for (const [number, nonRetryable] of [
      [4, false],
      [5, true],
    ] as const)
      await expect(attempt(number)).rejects.toMatchObject({
        nonRetryable,
        type: 'other_version_in_use',
        message: expect.stringContaining('seals under version 1 of the master key, not 2'),
      })
  })

  it('changes nothing in a second run, and two at once seal each value once', async () => {
    const before = await secretsUnder(keys.old)
    const runs = await Promise.all([passOnce(), passOnce()])
    expect(resealedBy(runs.flat())).toBe(before.size)
    expect(await secretsUnder(keys.new)).toEqual(before)
    const texts = 'select id, sealed_secret, previous_secrets from webhook_endpoint order by id'
    const sealed = await t.webhooks.execute(texts)
    expect(resealedBy(await passOnce())).toBe(0)
    expect(await t.webhooks.execute(texts)).toEqual(sealed)
  })

  it('seals a value again whose worker was killed after its last line, or before', async () => {
    const before = await secretsUnder(keys.old)
    const reseal = withDeps(
      {
        db: t.webhooks.db,
        masterKeys: keys.newFirst,
        resealBatchRows: 2,
      },
      resealValues,
    )
    const first = { version: 2, position: null }
    // The result of the first attempt is lost with its worker.
    await new MockActivityEnvironment().run(reseal, first)
    await new MockActivityEnvironment().run(reseal, first)
    await passOnce()
    expect(await secretsUnder(keys.new)).toEqual(before)
  })

  it('continues after kill -9 of its worker', async () => {
    await t.stopWorker()
    const { videoId } = await insertPublishedVideo(
      t.webhooks.db,
      { masterKeys: keys.old, signingSecret: 'a'.repeat(64) },
      { title: 'A' },
    )
    const names = Array.from({ length: 4_000 }, (_, index) => `K${index}`)
    const sealed = names.map((name) =>
      seal(keys.old, name, contextOf({ kind: 'content-key', videoId, name })),
    )
    await t.webhooks.execute(
      `insert into content_key (video_id, name, track_types, key_id, sealed_key, systems)
       select ?, n.name, '{SD}', md5(n.name), n.sealed, '[]'
       from jsonb_to_recordset(?::jsonb) as n (name text, sealed text)`,
      [videoId, JSON.stringify(names.map((name, index) => ({ name, sealed: sealed[index] })))],
    )
    const before = await secretsUnder(keys.old)
    const worker = startWorker()
    const run = await reelgate(text.newFirst)('master-key', 'rotate')
    expect(run.stdout).toMatch(/^Sealing 4\d{3} values under version 2:/)
    const sealedAgain = `select 1 from content_key where sealed_key like 'v2.%' limit 1`
    await waitFor('a first value', async () => (await t.webhooks.execute(sealedAgain)).length > 0)
    worker.kill('SIGKILL')
    expect((await worker).all).not.toMatch(/v[12]\.[\w-]{16}\./)
    expect((await status()).other_count).toBeGreaterThan(0)
    Object.assign(options, { resealBatchRows: 500 })
    await t.startWorker()
    await t.temporal.client.workflow.getHandle(ROTATION_WORKFLOW_ID).result()
    expect(await status()).toMatchObject({ percent: 100, rotation: { status: 'completed' } })
    expect(await secretsUnder(keys.new)).toEqual(before)
  }, 180_000)
})

/** Starts a worker of the queue as a process. */
const startWorker = () =>
  execa(pinnedNode, ['--no-warnings', 'worker.ts'], {
    cwd: projectDir,
    env: {
      DATABASE_URL: t.webhooks.databaseUrl,
      TEMPORAL_ADDRESS: t.temporal.address,
      MASTER_KEY: text.newFirst,
      WORKER_QUEUES: 'webhooks',
      WORK_DIR: folder,
      REELGATE_DATA_DIR: folder,
    },
    all: true,
    reject: false,
  })
