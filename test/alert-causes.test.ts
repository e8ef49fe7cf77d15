import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { execa } from 'execa'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIngestActivities } from '../activities/ingest/ingest-activities.ts'
import { openWorkFolder } from '../activities/scratch/work-folder.ts'
import { endUploads } from '../activities/upkeep/end-uploads.ts'
import { createSendWebhook } from '../activities/webhooks/send-webhook.ts'
import { cancelUpload } from '../commands/uploads/end-upload.ts'
import { claimUpload } from '../commands/uploads/write-upload.ts'
import { readUploadBacklog } from '../db/uploads/upload-backlog.ts'
import { startRelay } from '../outbox/relay.ts'
import { inheritedEnvironment, projectDir } from '../scripts/bootstrap/tools.mjs'
import { freePort } from '../scripts/embedded/ports.ts'
import { parseMasterKeys } from '../security/sealing/sealing.ts'
import { openClient } from '../temporal/connect.ts'
import { alertNames } from './compose/runbook/hurry.ts'
import { openIngestFixture, type IngestFixture } from './fixtures/ingest.ts'
import { makeUpload } from './fixtures/upload.ts'
import { openWebhookFixture, type WebhookFixture } from './fixtures/webhooks.ts'
import { awayStorage } from './infrastructure/away-storage.ts'
import { commandsOfAlerts, followAlert } from './infrastructure/follow-alert.ts'
import { linesOfFailure } from './infrastructure/logged-activity.ts'
import { waitFor } from './infrastructure/wait-for.ts'

let ingest: IngestFixture
let webhooks: WebhookFixture
let deadPort: number
let sourceUrl: string

beforeAll(async () => {
  const refuse = async (network: IngestFixture['network']) => {
    const { port } = await network.serveHttps(['speke.test'], (_request, response) => {
      response.writeHead(401).end()
    })
    network.dns.set('speke.test', ['127.0.0.1'])
    return `https://speke.test:${port}/`
  }
  ;[ingest, webhooks, deadPort] = await Promise.all([
    openIngestFixture({ spekeUrl: refuse }),
    openWebhookFixture(),
    freePort(),
  ])
  ingest.network.dns.set('source.test', ['127.0.0.1'])
  const { port } = await ingest.network.serveHttps(['source.test'], (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 1000 })
    response.end(Buffer.alloc(1000))
  })
  sourceUrl = `https://source.test:${port}/lesson.mp4`
})
afterAll(() => Promise.all([ingest.close(), webhooks.close()]))

/** What is not made here, and why. */
const NOT_MADE = ['ReelgateCertificateEnds', 'ReelgateBackupOld', 'ReelgateTransactionOld']

describe('docs/operating/alerts.md', () => {
  it('has one or two commands for each alert, and each has led to a cause in a test but those of other programs', () => {
    const commands = commandsOfAlerts()
    expect(alertNames().filter((name) => !commands.has(name))).toEqual([])
    for (const ofAlert of commands.values()) expect([1, 2]).toContain(ofAlert.length)
    const args = ['grep', '--untracked', '-ho', "followAlert('[A-Za-z]*'", '--', '*.test.ts']
    const made = execFileSync('git', args, { cwd: projectDir, encoding: 'utf8' })
    const left = [...commands.keys()].filter((name) => !made.includes(`'${name}'`))
    expect(left.toSorted((a, b) => a.localeCompare(b))).toEqual(NOT_MADE.toSorted())
  })
})

describe('the log', () => {
  it('says why a process has ended, by the name of the setting', async () => {
    const env = { ...inheritedEnvironment(), DATABASE_URL: 'nowhere' }
    const options = { cwd: projectDir, env, extendEnv: false, reject: false, all: true } as const
    const { all } = await execa('node', ['api/server.ts'], options)
    const [logs, words] = [{ api: all }, { PROCESS: 'api' }]
    expect(await followAlert('ReelgateProcessDown', logs, words)).toContain('DATABASE_URL')
    expect(await followAlert('ReelgateProcessMissing', logs, words)).toContain('DATABASE_URL')
  })

  it('says why steps of a queue fail: the storage refuses connections', async () => {
    const storage = awayStorage(deadPort)
    const input = await ingest.addVideo({ sourceUrl })
    const info = { activityType: 'downloadSource', workflowId: `video-${input.videoId}` }
    const { downloadSource } = createIngestActivities({ ...ingest.deps, storage })
    const worker = await linesOfFailure({ ...info, taskQueue: 'download' }, downloadSource, input)
    const found = await followAlert('ReelgateBacklogOld', { worker })
    expect(JSON.parse(found)).toMatchObject({
      ...info,
      taskQueue: 'download',
      error: { type: 'ECONNREFUSED', message: expect.stringContaining(`127.0.0.1:${deadPort}`) },
    })
    expect(found).not.toContain('a-secret-key')
  })

  it('says why a cancelled upload is not removed: the storage refuses connections', async () => {
    const { db } = ingest.deps
    const { accountId } = await ingest.addVideo()
    const upload = await makeUpload(ingest.deps, accountId)
    await claimUpload(db.em.fork(), upload)
    await db.em.fork().transactional((tx) => cancelUpload(tx, accountId, upload.id))
    const info = { activityType: 'endUploads', workflowId: 'sweep-outbox' }
    const deps = { ...ingest.deps, storage: awayStorage(deadPort), hasDrmProvider: false }
    const worker = await linesOfFailure(info, endUploads, deps)
    const found = await followAlert('ReelgateUploadsNotRemoved', { worker })
    expect(JSON.parse(found)).toMatchObject({ ...info, error: { type: 'ECONNREFUSED' } })
    const { open, unremovedSeconds } = await readUploadBacklog(db.em.fork())
    expect([open, unremovedSeconds > 0]).toEqual([0, true])
  })

  it('says that a disk is full, and at which video', async () => {
    const input = await ingest.addVideo({ sourceUrl })
    const folder = await openWorkFolder(ingest.deps, input.videoId)
    await symlink('/dev/full', folder.factsPath)
    const info = { activityType: 'downloadSource', workflowId: `video-${input.videoId}` }
    const { downloadSource } = createIngestActivities(ingest.deps)
    const worker = await linesOfFailure(info, downloadSource, input)
    const found = await followAlert('ReelgateDiskNearlyFull', { worker })
    expect(JSON.parse(found)).toMatchObject({ ...info, error: { type: 'ENOSPC' } })
  })

  it('says that the key server refuses the credentials', async () => {
    const input = await ingest.addVideo({ protection: 'multi-drm', status: 'processing' })
    const info = { activityType: 'createContentKeys', workflowId: `video-${input.videoId}` }
    const { createContentKeys } = createIngestActivities(ingest.deps)
    const worker = await linesOfFailure(info, createContentKeys, {
      ...input,
      trackTypes: ['SD' as const],
      renditions: [],
    })
    const found = await followAlert('ReelgateKeyServerFails', { worker })
    expect(JSON.parse(found)).toMatchObject({
      ...info,
      error: { type: 'drm_provider_unavailable', message: expect.stringContaining('401') },
    })
  })

  it('says why the attempts of a delivery cannot be made: the master key is another one', async () => {
    const { id } = await webhooks.addEndpoint('https://hooks.test/')
    const { deliveryId } = await webhooks.announceTo(id)
    const masterKeys = parseMasterKeys('1'.repeat(64))
    const send = createSendWebhook({ ...webhooks, egress: ingest.network.egress(), masterKeys })
    const info = { activityType: 'sendWebhook', workflowId: `webhook-delivery-${deliveryId}` }
    const attempt = { deliveryId, number: 1, trigger: 'schedule' as const }
    const worker = await linesOfFailure(info, send, attempt)
    const found = await followAlert('ReelgateDeliveryStuck', { worker })
    expect(JSON.parse(found)).toMatchObject({
      ...info,
      error: { type: 'SealingError', message: expect.stringMatching(/\w/) },
    })
  })

  it('says that committed work does not reach Temporal, and why', async () => {
    const worker: string[] = []
    const logger = pino({}, { write: (line: string) => void worker.push(line) })
    const client = openClient({ address: `127.0.0.1:${deadPort}`, namespace: 'default' })
    const { db, databaseUrl } = webhooks
    await webhooks.addEndpoint('https://hooks.test/')
    for (let events = 0; events < 5; events += 1) await webhooks.announce()
    const relay = await startRelay({
      db,
      databaseUrl,
      client,
      deliveriesNamespace: 'default-deliveries',
      logger,
    })
    try {
      await waitFor('the line', async () => worker.some((line) => line.includes('is unreachable')))
      const found = await followAlert('ReelgateOutboxLag', { worker })
      expect(found).toContain(`127.0.0.1:${deadPort}`)
    } finally {
      await relay.stop()
      await client.connection.close()
    }
  })
})

describe('the record', () => {
  it('says where plays were interrupted, and where they began late', async () => {
    const { accountId, videoId } = await ingest.addVideo()
    const { em } = ingest.deps.db
    await em.fork().execute(
      `insert into playback_record (id, account_id, video_id, referer_host, signing_secret_version, started_at, watched_ms,
         stalls, stalled_ms, first_frame_ms, quality)
       select gen_random_uuid(), ?, ?, 'site.example', 1, now(), 9000, 2, 1000, 1000 * n, 720 from generate_series(1, 20) n`,
      [accountId, videoId],
    )
    const found = async (alert: Promise<string>) => em.fork().execute<object[]>(await alert)
    const of = { referer_host: 'site.example', video_id: videoId }
    expect(await found(followAlert('ReelgatePlaysStall', {}))).toMatchObject([
      { ...of, quality: 720, plays: 20, stalls: 40, percent: '10' },
    ])
    expect(await found(followAlert('ReelgatePlaysStartSlowly', {}))).toMatchObject([
      { ...of, plays: 20, ms: 19_000 },
    ])
  })
})
