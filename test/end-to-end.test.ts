import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BACKLOG_VIDEOS } from '../domain/ingest/ingest-priority.ts'
import { isGenuine } from '../scripts/demo/integrator.ts'
import { createAccountFixture } from './fixtures/account.ts'
import { asAccount, startService, type RunningService } from './fixtures/running-service.ts'
import { openServiceRecord } from './fixtures/service-record.ts'
import { makeSource } from './fixtures/sources.ts'
import { READY_MS } from './fixtures/video-status.ts'
import { HAS_EVERY_CASE } from './infrastructure/every-case.ts'
import { followAlert } from './infrastructure/follow-alert.ts'
import { openOutsideHost, type OutsideHost } from './infrastructure/outside-host.ts'
import { isRunning } from './infrastructure/processes.ts'
import { headlessChromiumPath } from './infrastructure/services.ts'
import {
  openTraceCollector,
  trickle,
  type CollectedSpan,
  type TraceCollector,
} from './infrastructure/trace-collector.ts'
import { waitFor } from './infrastructure/wait-for.ts'
import { describeDoctor } from './stories/doctor.ts'
import { describeFirstOwner } from './stories/first-owner.ts'
import { describeRestore } from './stories/restore.ts'
import { describeScratch } from './stories/scratch.ts'

interface VideoView {
  id: string
  status: string
  title: string
  embed_url: string
  duration: number | null
  size_bytes: number
  poster_url: string | null
  error: { code: string; message: string } | null
}

const SUBSCRIBED = [
  'video.created',
  'video.ready',
  'video.failed',
  'video.deleted',
  'security.event',
  'caption.ready',
]
/** The log of a worker up to its start. */
const readyLines = (log: string): string =>
  log
    .split('\n')
    .filter((line) => line.includes('is ready'))
    .join('\n')
const ORDER = ['queued', 'processing', 'playable', 'ready', 'failed']

/** A file whose download does not end until it is released. */
const HELD = 'held.mp4'
/** A file whose download never ends, so that its videos are not ready and cost nothing. */
const ENDLESS = 'endless.mp4'
/** A file whose encoder can be found. */
const FILM = 'film.mp4'

let folder: string
let film: string
let env: Record<string, string>
let outside: OutsideHost
let release: () => void
let outsideOfOwner: OutsideHost
let collector: TraceCollector
/** Called with the key of its first account. Undefined before its start, and after its crash. */
let installation: RunningService | undefined
/** Called with the key of another account. */
let service: RunningService
let secret: string
let video: VideoView
/** The trace of the request that created the video. */
let traceId: string
const seen: string[] = []

const getVideo = async (id: string): Promise<VideoView> =>
  (await (await service.request('GET', `/v1/videos/${id}`)).json()) as VideoView

/** The names of the files in the scratch space: a worker that runs has a lock there. */
async function scratchFiles(): Promise<string[]> {
  const path = join(service.data_dir, 'work')
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

async function follow(id: string): Promise<VideoView> {
  const end = async () => {
    const now = await getVideo(id)
    if (seen.at(-1) !== now.status) seen.push(now.status)
    return (now.status === 'ready' || now.status === 'failed') && now
  }
  return waitFor(`the end of video ${id}`, end, READY_MS)
}

const started = (): RunningService => {
  if (!installation) throw new Error('the service does not run')
  return installation
}

/** Only `npm run verify:all` restores. */
async function makeFilesOfRestore(): Promise<Record<string, string>> {
  if (!HAS_EVERY_CASE) return {}
  const [quick, short] = [join(folder, 'quick.mp4'), join(folder, 'short.mp4')]
  await makeSource(quick, { seconds: 2, size: '426x240', rate: 12, grain: false })
  await makeSource(short, { seconds: 8, size: '640x360', rate: 12, grain: false })
  return { 'quick.mp4': quick, 'short.mp4': short, [HELD]: quick }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-e2e-'))
  const source = join(folder, 'a lesson.mp4')
  const text = join(folder, 'text.mp4')
  await makeSource(source, { seconds: 5, rate: 6, grain: false })
  await writeFile(text, '#EXTM3U\n#EXTINF:9,\nfile:///etc/passwd\n')
  const lesson = join(folder, 'lesson.mp4')
  await makeSource(lesson, { seconds: 4, size: '426x240', rate: 12, grain: false })
  const [own, ofOwner] = [join(folder, 'own'), join(folder, 'owner')]
  await Promise.all([own, ofOwner].map((path) => mkdir(path)))
  film = join(folder, FILM)
  await makeSource(film, { seconds: 30, size: '640x360', rate: 10, grain: true })
  const small = { 'small.mp4': lesson, [ENDLESS]: lesson }
  const files = { 'a lesson.mp4': source, 'text.mp4': text, [FILM]: film, ...small }
  outside = await openOutsideHost(own, { ...files, ...(await makeFilesOfRestore()) })
  release = outside.hold(HELD)
  outside.hold(ENDLESS)
  outsideOfOwner = await openOutsideHost(ofOwner, { 'lesson.mp4': lesson })
  const authorities = await Promise.all(
    [outside, outsideOfOwner].map(({ caFile }) => readFile(caFile, 'utf8')),
  )
  const caFile = join(folder, 'authorities.pem')
  await writeFile(caFile, authorities.join('\n'))
  collector = await openTraceCollector()
  env = { EGRESS_CA_FILE: caFile, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }
  installation = await startService(join(folder, 'data'), env)
  const record = await openServiceRecord(installation)
  service = asAccount(installation, await createAccountFixture(record.db, record.masterKeys))
  await record.close()
  const url = `${outside.baseUrl}/hook`
  const events = SUBSCRIBED
  const endpoint = await service.request('POST', '/v1/webhook-endpoints', { url, events })
  expect(endpoint.status).toBe(201)
  secret = ((await endpoint.json()) as { secret: string }).secret
}, 240_000)

afterAll(async () => {
  await installation?.stop()
  await Promise.all([outside?.close(), outsideOfOwner?.close(), collector?.close()])
  await rm(folder, { recursive: true, force: true })
}, 60_000)

// On the same installation, because each start costs more than the stories.
describeFirstOwner(() => ({ service: started(), outside: outsideOfOwner, folder }))

describe('a video, from the link to the viewer', () => {
  it('is accepted with 202 and is queued, with an embed URL and the title of its file', async () => {
    const source_url = `${outside.baseUrl}/files/a%20lesson.mp4?sig=presigned-secret`
    const response = await service.request('POST', '/v1/videos', { source_url })
    expect(response.status).toBe(202)
    traceId = (response.headers.get('request-id') ?? '').replace('req_', '')
    video = (await response.json()) as VideoView
    expect(video).toMatchObject({ status: 'queued', title: 'a lesson.mp4', duration: null })
    expect(video.id).toMatch(/^[0-9a-f]{20}$/)
  })

  it(
    'never returns to an earlier status, and is ready with duration, size and poster',
    async () => {
      seen.push('queued')
      const done = await follow(video.id)
      expect(done.error).toBeNull()
      expect(done.status).toBe('ready')
      const ranks = seen.map((status) => ORDER.indexOf(status))
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
      expect(done.duration).toBeCloseTo(5, 0)
      expect(done.size_bytes).toBeGreaterThan(10_000)
      const poster = await fetch(done.poster_url ?? '')
      expect(poster.headers.get('content-type')).toBe('image/jpeg')
    },
    READY_MS + 10_000,
  )

  it('announces video.created and video.ready with signatures that verify', async () => {
    const events = await waitFor('both webhooks', async () => {
      const bodies = outside.received.map(({ body }) => JSON.parse(body) as { type: string })
      return bodies.some(({ type }) => type === 'video.ready') && bodies
    })
    expect(events.map(({ type }) => type).sort()).toEqual(['video.created', 'video.ready'])
    for (const delivery of outside.received) {
      expect(isGenuine(delivery, secret)).toBe(true)
      expect(isGenuine({ ...delivery, body: `${delivery.body} ` }, secret)).toBe(false)
      expect(delivery.body).toBe(JSON.stringify(JSON.parse(delivery.body)))
    }
  })

  it('lists its deliveries with their attempts', async () => {
    // A delivery is recorded shortly after its receiver has responded.
    const delivered = await waitFor('both records', async () => {
      const response = await service.request('GET', '/v1/webhook-deliveries?status=delivered')
      const { data } = (await response.json()) as {
        data: { attempts: { response_status: number }[] }[]
      }
      return data.length === 2 && data
    })
    for (const { attempts } of delivered) expect(attempts).toMatchObject([{ response_status: 200 }])
  })

  it('is one trace, from the request through relay, workflow and activities to the webhooks', async () => {
    const trace = await waitFor('the spans of the last step', async () => {
      const spans = collector.spans.filter((span) => span.traceId === traceId)
      const ended = (workflow: string) => spans.filter(({ name }) => name === workflow).length
      return ended('deliverWebhook') === 2 && ended('ingestVideo') === 1 && spans
    })
    const pathOf = (span: CollectedSpan): string => {
      const above = trace.find(({ spanId }) => spanId === span.parentSpanId)
      return `${above ? `${pathOf(above)} > ` : span.parentSpanId}${span.name}`
    }
    const paths = trace.map(pathOf)
    const ingest = 'createVideo > relay ingest-video > ingestVideo'
    for (const step of ['downloadSource', 'prepareEncoding', 'encodeChunk', 'finishVideo'])
      expect(paths).toContain(`${ingest} > ${step}`)
    const delivery = 'createVideo > relay deliver-webhook > deliverWebhook > sendWebhook'
    const attempts = trace.filter((span) => pathOf(span) === `${delivery} > webhook attempt`)
    expect(attempts.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([
      200, 200,
    ])
    expect(new Set(attempts.map(({ attributes }) => attributes['reelgate.event_type']))).toEqual(
      new Set(['video.created', 'video.ready']),
    )
    // Nothing hangs in the air, and nothing ends before it begins.
    expect(paths.filter((path) => !path.startsWith('createVideo'))).toEqual([])
    for (const { startTimeUnixNano, endTimeUnixNano } of trace)
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
    expect(new Set(trace.map(({ service: name }) => name))).toEqual(
      new Set(['reelgate-api', 'reelgate-worker']),
    )
    // Everything that follows must work without a collector that responds.
    collector.respondWith(trickle)
  })

  it('fails with a reason if the file is a playlist, and reads none of the files that it names', async () => {
    const source_url = `${outside.baseUrl}/files/text.mp4`
    const response = await service.request('POST', '/v1/videos', { source_url })
    const { id } = (await response.json()) as VideoView
    const done = await follow(id)
    expect(done.status).toBe('failed')
    expect(done.error?.message).toMatch(/\w/)
    expect(JSON.stringify(done)).not.toContain('root:')
    const { code, message } = done.error ?? {}
    const log = join(service.data_dir, 'logs', 'worker.log')
    const lines = await waitFor('the lines of the failure', async () => {
      const written = (await readFile(log, 'utf8')).split('\n').slice(0, -1)
      const ours = written.filter((line) => line.includes(id))
      const parsed = ours.map((line) => JSON.parse(line) as { level: number; msg: string })
      const warnings = parsed.filter(({ level }) => level >= 40)
      return warnings.some(({ msg }) => msg === 'Workflow failed') && warnings
    })
    const workflowId = `video-${id}`
    // The SDK keeps its lines back for a moment.
    expect(lines.toSorted((a, b) => a.msg.localeCompare(b.msg))).toMatchObject([
      { msg: 'a video has failed', videoId: id, code, reason: message },
      { msg: 'Activity failed', workflowId, error: { type: code, message } },
      { msg: 'Workflow failed', workflowId, error: { type: code, message } },
    ])
    expect(JSON.stringify(lines)).not.toContain(source_url)
    const worker = await readFile(log, 'utf8')
    const words = { CODE: (counted: string) => /"code":"(\w+)"/.exec(counted)?.[1] ?? '' }
    const failed = await followAlert('ReelgateVideosFail', { worker }, words)
    expect(JSON.parse(failed)).toMatchObject({ videoId: id, code, reason: message })
    const served = { queues: expect.arrayContaining(['encode']), namespace: 'default' }
    for (const found of [
      await followAlert('ReelgateNoWorkers', { worker: readyLines(worker) }),
      await followAlert('ReelgateNoPollers', { worker: readyLines(worker) }),
    ])
      expect(JSON.parse(found)).toMatchObject(served)
  }, 60_000)

  it('is stored only in encrypted form: no plain segment, no source', async () => {
    const storage = join(service.data_dir, 'storage')
    // The cleanup follows shortly after the status. A folder that vanishes while it is read makes the read fail.
    const names = await waitFor('the cleanup', async () => {
      const entries = await readdir(storage, { recursive: true, withFileTypes: true }).catch(
        () => [],
      )
      const files = entries.filter((entry) => entry.isFile())
      return (
        files.length > 0 && !files.some(({ parentPath }) => parentPath.includes('sources')) && files
      )
    })
    const inits = names.filter(
      ({ name, parentPath }) => name === 'init.mp4' && parentPath.includes(video.id),
    )
    expect(inits.length).toBeGreaterThanOrEqual(4)
    for (const { parentPath, name } of inits) {
      const bytes = await readFile(join(parentPath, name), 'latin1')
      expect(bytes).toMatch(/encv|enca/)
      expect(bytes).toContain('cenc')
    }
    await waitFor('an empty scratch space', async () => {
      const files = await scratchFiles().catch(() => [])
      return files.join() === 'lock'
    })
  })
})

describe('what an operator sees', () => {
  it('has the video under its id, with its account and status as search attributes', async () => {
    const connection = await Connection.connect({ address: service.temporal })
    try {
      const client = new Client({ connection })
      const handle = client.workflow.getHandle(`video-${video.id}`)
      expect(await handle.result()).toBe('ready')
      const history = await client.workflow.getHandle(`video-${video.id}`).fetchHistory()
      const rungs = 4
      expect(history.events?.length).toBeLessThanOrEqual(25 + 12 * rungs)
      const query = `VideoStatus = 'ready' and AccountId = ${service.account_id}`
      const found = await waitFor('the visibility record', async () => {
        for await (const { workflowId } of client.workflow.list({ query })) return workflowId
        return null
      })
      expect(found).toBe(`video-${video.id}`)
    } finally {
      await connection.close()
    }
  })
})

describe('the backlog of an account', () => {
  it(
    'becomes ready, whatever else of the account is not',
    async () => {
      const add = async (file: string): Promise<string> => {
        const source_url = `${outside.baseUrl}/files/${file}`
        const response = await service.request('POST', '/v1/videos', { source_url })
        return ((await response.json()) as VideoView).id
      }
      const others = await Promise.all(Array.from({ length: BACKLOG_VIDEOS }, () => add(ENDLESS)))
      expect((await follow(await add('small.mp4'))).status).toBe('ready')
      for (const id of others) await service.request('DELETE', `/v1/videos/${id}`)
    },
    READY_MS,
  )
})

describe('secrets', () => {
  it('are neither in the histories, nor in the logs, nor in the traces', async () => {
    const signing = (await service.cli(
      'signing-secret',
      'show',
      '--account',
      String(service.account_id),
    )) as { signing_secret: string }
    const needles = [secret, service.api_key, signing.signing_secret, 'presigned-secret']
    const logs = await readdir(join(service.data_dir, 'logs'))
    const texts = await Promise.all(
      logs.map((name) => readFile(join(service.data_dir, 'logs', name), 'utf8')),
    )
    const connection = await Connection.connect({ address: service.temporal })
    try {
      const client = new Client({ connection })
      for await (const { workflowId } of client.workflow.list()) {
        const { events } = await client.workflow.getHandle(workflowId).fetchHistory()
        texts.push(readable(events))
      }
    } finally {
      await connection.close()
    }
    texts.push(...collector.requests.map(({ body }) => body))
    for (const needle of needles)
      for (const text of texts) expect(text.includes(needle)).toBe(false)
  })
})

const VIDEO = 'document.querySelector("video")'
const FRAMES = `${VIDEO}.getVideoPlaybackQuality().totalVideoFrames`

/** Payloads are bytes; their encoding would hide a secret in them. */
function readable(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    entry instanceof Uint8Array ? Buffer.from(entry).toString('latin1') : entry,
  )
}

describe('the embed', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: await headlessChromiumPath(),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    })
  })

  afterAll(() => browser?.close())

  it('plays in Chromium at two qualities, frames advancing, with the watermark, in a page of another origin', async () => {
    const account = ['--account', String(service.account_id)]
    await service.cli(
      'settings',
      'set',
      ...account,
      'watermark.enabled=true',
      'watermark.required=true',
    )
    const token = (await (
      await service.request('POST', `/v1/videos/${video.id}/playback-tokens`, {
        viewer_id: 'viewer-e2e',
      })
    ).json()) as { iframe_html: string }
    const site = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end(token.iframe_html)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const { port } = site.address() as AddressInfo
    const page = await browser.newPage()
    try {
      await page.goto(`http://127.0.0.1:${port}/`)
      const frame = await waitFor('the frame', async () =>
        page.frames().find((one) => one.url().includes(video.id)),
      )
      await frame.waitForSelector('html[data-state="ready"][data-controls]', {
        timeout: 20_000,
        state: 'attached',
      })
      await frame.evaluate(
        '(() => { const v = document.querySelector("video"); v.muted = true; v.loop = true; void v.play() })()',
      )
      await waitFor('a picture', () => frame.evaluate<boolean>(`${VIDEO}.videoHeight > 0`))
      for (const height of [240, 720]) {
        // The controls hide while the video plays.
        await frame.evaluate(`${VIDEO}.pause()`)
        await frame.click('media-settings-menu-button')
        await frame.click('media-settings-menu-item:has(#quality-menu)')
        await frame.click(`#quality-menu media-chrome-menu-item:has-text("${height}p")`)
        await page.keyboard.press('Escape')
        await frame.evaluate(`void ${VIDEO}.play()`)
        const before = await frame.evaluate<number>(FRAMES)
        await waitFor(
          `frames at ${height}p`,
          async () => {
            const [shown, frames] = await frame.evaluate<[number, number]>(
              `[${VIDEO}.videoHeight, ${FRAMES}]`,
            )
            return shown === height && frames > before + 10
          },
          20_000,
        )
      }
      expect(
        await frame.evaluate('document.querySelectorAll("#player > div:not([slot])").length'),
      ).toBe(1)
    } finally {
      await page.close()
      site.closeAllConnections()
      site.close()
    }
  }, 90_000)

  it('is refused without a token under enforcement, which is a security event', async () => {
    const headers = { Referer: 'https://site.example/' }
    const response = await fetch(video.embed_url, { headers })
    expect(response.status).toBe(403)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const forged = await fetch(`${video.embed_url}?vt=e30.AAAA`, { headers })
    expect(forged.status).toBe(403)
    const events = await waitFor('the security events', async () => {
      const bodies = outside.received.map(
        ({ body }) => JSON.parse(body) as { type: string; data: object },
      )
      const found = bodies.filter(({ type }) => type === 'security.event')
      return found.length === 2 && found
    })
    for (const { data } of events)
      expect(data).toMatchObject({ event_type: 'viewer_token_required', video_id: video.id })
  })

  it('is refused without a Referer', async () => {
    const response = await fetch(video.embed_url)
    expect(response.status).toBe(403)
  })
})

describe('the end of a video', () => {
  const typesFor = (id: string): string[] =>
    outside.received
      .map(({ body }) => JSON.parse(body) as { type: string; data: { id: string } })
      .filter(({ data }) => data.id === id)
      .map(({ type }) => type)

  it('is a deletion: playback ends immediately, its objects are removed, and video.deleted arrives', async () => {
    const { poster_url: posterUrl } = await getVideo(video.id)
    expect(await service.objectsOf(video.id)).not.toEqual([])
    const response = await service.request('DELETE', `/v1/videos/${video.id}`)
    expect(response.status).toBe(200)
    const headers = { Referer: 'https://site.example/' }
    expect((await fetch(video.embed_url, { headers })).status).toBe(404)
    expect((await fetch(posterUrl ?? '')).status).toBe(404)
    await waitFor('the removal', async () => (await service.objectsOf(video.id)).length === 0)
    await waitFor('video.deleted', async () => typesFor(video.id).includes('video.deleted'))
  })

  it('during its encoding leaves nothing of it', async () => {
    const source_url = `${outside.baseUrl}/files/a%20lesson.mp4`
    const created = await service.request('POST', '/v1/videos', { source_url })
    const { id } = (await created.json()) as VideoView
    await waitFor('encoding', async () => (await getVideo(id)).status === 'processing')
    expect((await service.request('DELETE', `/v1/videos/${id}`)).status).toBe(200)
    await waitFor('video.deleted', async () => typesFor(id).includes('video.deleted'))
    const connection = await Connection.connect({ address: service.temporal })
    try {
      await new Client({ connection }).workflow.getHandle(`delete-video-${id}`).result()
    } finally {
      await connection.close()
    }
    expect(await service.objectsOf(id)).toEqual([])
    expect(await scratchFiles()).toEqual(['lock'])
    expect(typesFor(id)).not.toContain('video.ready')
  })
})

describe('a collector of traces that never responds', () => {
  it('has been sent no address, no token and no id of a viewer', async () => {
    const bodies = () => collector.requests.map(({ body }) => body).join('\n')
    await waitFor('spans of the player', async () => bodies().includes('reelgate-player'))
    expect(bodies()).not.toMatch(/https?:|127\.\d|vt=|eyJ|viewer-e2e|lesson/)
  })

  it('keeps no process from its end', async () => {
    const patterns = [/worker\.ts/, /api\/server\.ts/, /player\/server\/main\.ts/]
    const found = await Promise.all(patterns.map((pattern) => service.findChild(pattern)))
    const pids = found.filter((pid) => pid !== null)
    expect(pids).toHaveLength(patterns.length)
    for (const pid of pids) process.kill(pid, 'SIGTERM')
    await waitFor('their end', async () => !pids.some(isRunning))
    collector.recover()
  })
})

// It waits until all processes run again.
describeDoctor(started)

describeRestore({
  lost: async () => ({
    service: started(),
    record: await openServiceRecord(started()),
    env,
    outside,
    folder,
    files: { quick: 'quick.mp4', short: 'short.mp4', held: HELD },
    release,
  }),
  onRestored: (restored) => (installation = restored),
})

// The last one, because it ends the installation by kill -9.
describeScratch(() => ({
  service: started(),
  source: film,
  sourceUrl: `${outside.baseUrl}/files/${FILM}`,
  onCrashed: () => (installation = undefined),
}))
