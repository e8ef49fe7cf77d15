import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { readRuntime } from '../../processes/runtime-file.ts'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'
import { isGenuine } from '../../scripts/demo/integrator.ts'
import { callJson } from '../fixtures/call-json.ts'
import { startService, type RunningService } from '../fixtures/running-service.ts'
import { makeSource } from '../fixtures/sources.ts'
import { openOutsideHost, type OutsideHost } from '../infrastructure/outside-host.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { beginUpload, finishUpload, type BegunUpload } from './begun-upload.ts'
import { unpackRelease, type Release } from './release.ts'

/** A page that embeds the video. */
const SITE = 'https://site.example/lesson'
const END_MS = 400_000

/** What is stored and in flight when the upgrade begins. */
interface Filled {
  ready: string
  running: string
  endpointId: number
  secret: string
  /** Null if the release has no uploads. */
  upload: BegunUpload | null
}

/**
 * Fills a release, migrates its database below it, kills it with an ingest and deliveries in flight, starts this
 * version on its data, and checks everything. Calls `held` for each check that holds; throws at the first that does not.
 */
export async function verifyUpgrade(
  release: Release,
  folder: string,
  held: (check: string) => void,
  unpack = unpackRelease,
): Promise<void> {
  const code = join(folder, 'release')
  await unpack(release, code)
  const outside = await openHost(folder)
  const dataDir = join(folder, 'data')
  const env = { EGRESS_CA_FILE: outside.caFile, ENCODE_SLOTS: '1' }
  let service: RunningService | undefined
  try {
    service = await startService(dataDir, env, [], code)
    const filled = await fill(service, outside, folder)
    held(
      `the release is filled, with an ingest, deliveries${filled.upload ? ' and an upload' : ''} in flight`,
    )
    await migrateBelow(service)
    await checkRelease(service, filled)
    held('the release runs on the schema of this version')
    await service.crash()
    outside.respondWith(200)
    outside.received.length = 0
    service = await startService(dataDir, env)
    held('this version starts on the data of the release after kill -9')
    await checkUpgraded(service, filled, outside, folder, held)
    await service.stop()
    if ((await newestMigration(code)) === (await newestMigration(projectDir))) return
    await assert.rejects(startService(dataDir, env, [], code), /migrated by a newer version/)
    held('the release refuses to start on the newer database')
  } finally {
    await service?.stop().catch(() => service?.crash())
    await outside.close()
  }
}

/** The last migration of a version. A release with the same one can run on its database. */
const newestMigration = async (folder: string): Promise<string | undefined> =>
  (await readdir(join(folder, 'db', 'migrations'))).toSorted().at(-1)

async function openHost(folder: string): Promise<OutsideHost> {
  const quick = join(folder, 'quick.mp4')
  const slow = join(folder, 'slow.mp4')
  await makeSource(quick, { seconds: 2, size: '426x240', rate: 12, grain: false })
  await makeSource(slow, { seconds: 8, size: '640x360', rate: 24, grain: false })
  return openOutsideHost(folder, { 'quick.mp4': quick, 'slow.mp4': slow })
}

async function submit(service: RunningService, outside: OutsideHost, name: string) {
  const source_url = `${outside.baseUrl}/files/${name}`
  return (await callJson<{ id: string }>(service, 'POST', '/v1/videos', { source_url })).id
}

const untilReady = (service: RunningService, id: string) =>
  waitFor(
    `video ${id}`,
    async () => {
      const path = `/v1/videos/${id}/status`
      return (await callJson<{ status: string }>(service, 'GET', path)).status === 'ready'
    },
    END_MS,
  )

interface Deliveries {
  data: { status: string; attempts: { number: number }[] }[]
}

const listDeliveries = async (service: RunningService): Promise<Deliveries['data']> =>
  (await callJson<Deliveries>(service, 'GET', '/v1/webhook-deliveries?limit=100')).data

async function fill(
  service: RunningService,
  outside: OutsideHost,
  folder: string,
): Promise<Filled> {
  outside.respondWith(500)
  const { id: endpointId, secret } = await callJson<{ id: number; secret: string }>(
    service,
    'POST',
    '/v1/webhook-endpoints',
    {
      url: `${outside.baseUrl}/hook`,
      events: ['video.created', 'video.ready'],
    },
  )
  const ready = await submit(service, outside, 'quick.mp4')
  await untilReady(service, ready)
  await waitFor('deliveries that wait for their second attempt', async () => {
    const all = await listDeliveries(service)
    return all.length >= 2 && all.every(({ attempts }) => attempts.length === 1)
  })
  const running = await submit(service, outside, 'slow.mp4')
  await waitFor('an encoder', () => service.findChild(/ffmpeg .*libx264/), END_MS)
  const upload = await beginUpload(service, await readFile(join(folder, 'quick.mp4')))
  return { ready, running, endpointId, secret, upload }
}

/** Runs this version's set-up of the database while the release uses it. */
async function migrateBelow(service: RunningService): Promise<void> {
  const runtime = await readRuntime(service.data_dir)
  assert.ok(runtime)
  await execa(pinnedNode, ['--no-warnings', 'scripts/set-up.ts'], {
    cwd: projectDir,
    env: {
      REELGATE_DATA_DIR: service.data_dir,
      DATABASE_URL: runtime.databaseUrl,
      TEMPORAL_ADDRESS: service.temporal,
    },
  })
}

/** Reads and writes with the code of the release, also rows whose keys a migration has changed. */
async function checkRelease(service: RunningService, { ready, endpointId }: Filled): Promise<void> {
  const folder = await callJson<{ id: number }>(service, 'POST', '/v1/folders', { name: 'Lessons' })
  const edit = { title: 'Written by the release', folder_id: folder.id }
  await callJson(service, 'PATCH', `/v1/videos/${ready}`, edit)
  const chapter = { title: 'Opening', start: 0, end: 1 }
  await callJson(service, 'POST', `/v1/videos/${ready}/chapters`, chapter)
  const listed = await callJson<{ data: unknown[] }>(
    service,
    'GET',
    `/v1/videos?folder_id=${folder.id}`,
  )
  assert.equal(listed.data.length, 1)
  const before = await listDeliveries(service)
  await callJson(service, 'POST', `/v1/webhook-endpoints/${endpointId}/test`)
  await waitFor('an attempt of the release', async () => {
    const all = await listDeliveries(service)
    return all.length > before.length && all.every(({ attempts }) => attempts.length > 0)
  })
  await callJson(service, 'GET', '/v1/webhook-endpoints')
  await checkEmbed(service, ready)
}

async function checkEmbed(service: RunningService, id: string): Promise<void> {
  const { embed_url } = await callJson<{ embed_url: string }>(service, 'GET', `/v1/videos/${id}`)
  const response = await fetch(embed_url, { headers: { Referer: SITE } })
  assert.ok(response.ok, `the embed page responds with ${response.status}`)
}

async function checkUpgraded(
  service: RunningService,
  { ready, running, secret, upload }: Filled,
  outside: OutsideHost,
  folder: string,
  held: (check: string) => void,
): Promise<void> {
  const { title } = await callJson<{ title: string }>(service, 'GET', `/v1/videos/${ready}`)
  assert.equal(title, 'Written by the release')
  held('the API key is valid, and what the release wrote on the new schema is there')
  await checkEmbed(service, ready)
  await untilReady(service, running)
  held('the running ingest becomes ready')
  if (upload) {
    await untilReady(service, await finishUpload(service, upload))
    held('the upload that the release began continues and becomes a video')
  }
  await waitFor(
    'the deliveries',
    async () => (await listDeliveries(service)).every(({ status }) => status === 'delivered'),
    END_MS,
  )
  assert.ok(outside.received.length >= 4)
  for (const webhook of outside.received) assert.ok(isGenuine(webhook, secret))
  held('every delivery arrives, with a right signature')
  await service.cli('backup', join(folder, 'backups'))
  await service.cli('restore', join(folder, 'backups'), '--drill')
  held('the first and the last segment of every video can be decrypted')
  await service.cli('doctor')
  held('doctor finds everything right')
}
