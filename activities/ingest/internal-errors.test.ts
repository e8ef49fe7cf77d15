import { symlink } from 'node:fs/promises'
import { ApplicationFailure } from '@temporalio/common'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../db/database.ts'
import type { DownloadOutcome, IngestVideoInput } from '../../domain/ingest/ingest.ts'
import { sourceKey } from '../../domain/videos/media-paths.ts'
import { freePort } from '../../scripts/embedded/ports.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { awayStorage } from '../../test/infrastructure/away-storage.ts'
import type { ActivityDeps } from '../deps.ts'
import { openWorkFolder } from '../scratch/work-folder.ts'
import { createIngestActivities } from './ingest-activities.ts'
import { ingestStep } from './ingest-step.ts'

const SECRET = 'X-Amz-Signature=5ec7e7'
let fixture: IngestFixture
let sourceUrl: string
/** An address without a listener. */
let deadPort: number
let requests = 0

beforeAll(async () => {
  fixture = await openIngestFixture()
  deadPort = await freePort()
  fixture.network.dns.set('source.test', ['127.0.0.1'])
  const { port } = await fixture.network.serveHttps(['source.test'], (_request, response) => {
    requests += 1
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 1000 })
    response.end(Buffer.alloc(1000))
  })
  sourceUrl = `https://source.test:${port}/lesson.mp4?${SECRET}`
})

afterAll(() => fixture.close())

const download = (deps: Partial<ActivityDeps>, input: IngestVideoInput): Promise<DownloadOutcome> =>
  runActivity(createIngestActivities({ ...fixture.deps, ...deps }).downloadSource, input)
const prepare = (deps: Partial<ActivityDeps>, input: IngestVideoInput) =>
  runActivity(createIngestActivities({ ...fixture.deps, ...deps }).prepareEncoding, input)
const captureFailure = async (work: Promise<unknown>): Promise<ApplicationFailure> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof ApplicationFailure) return error
  throw new Error(`no failure: ${String(error)}`)
}

describe('an internal error', () => {
  it('is retried and names the unavailable service: storage that refuses connections, without a download attempt', async () => {
    const input = await fixture.addVideo({ sourceUrl })
    const failure = await captureFailure(download({ storage: awayStorage(deadPort) }, input))
    expect(failure).toMatchObject({ nonRetryable: false, type: 'ECONNREFUSED' })
    expect(failure.message).toContain(`ECONNREFUSED 127.0.0.1:${deadPort}`)
    expect((await fixture.video(input.videoId)).status).toBe('queued')
    // The downloaded source is not fetched again once the storage is back.
    const before = requests
    expect(await download({}, input)).toEqual({ ok: true, sizeBytes: 1000 })
    expect(requests).toBe(before)
  })

  it('is retried: a disk that fills up during the download, without a download attempt', async () => {
    const input = await fixture.addVideo({ sourceUrl })
    const folder = await openWorkFolder(fixture.deps, input.videoId)
    await symlink('/dev/full', folder.factsPath)
    const failure = await captureFailure(download({}, input))
    expect(failure).toMatchObject({ nonRetryable: false, type: 'ENOSPC' })
  })

  it('is retried: a scratch folder without write permission', async () => {
    const input = await fixture.addVideo({ sourceUrl })
    const workDir = `${fixture.folder}/a-file-in-its-place`
    await symlink('/dev/null', workDir)
    expect(await captureFailure(download({ workDir }, input))).toMatchObject({
      nonRetryable: false,
    })
  })

  it('is retried: unavailable PostgreSQL', async () => {
    const input = await fixture.addVideo({ sourceUrl, status: 'processing' })
    const db = await openDatabase({ url: `postgres://u:a-password@127.0.0.1:${deadPort}/db` })
    const failure = await captureFailure(prepare({ db }, input))
    await db.close(true)
    expect(failure).toMatchObject({ nonRetryable: false, type: 'ECONNREFUSED' })
    expect(failure.message).not.toBe('')
    expect(JSON.stringify([failure.message, failure.stack])).not.toContain('a-password')
  })

  it('is retried: a missing stored source', async () => {
    const input = await fixture.addVideo({ sourceUrl, status: 'processing' })
    expect(await captureFailure(prepare({}, input))).toMatchObject({
      nonRetryable: false,
      type: 'ObjectNotFoundError',
    })
  })

  it('quotes no link in the failure that Temporal stores', async () => {
    const step = ingestStep(async () => {
      throw new Error(`cannot parse ${sourceUrl} as it is`)
    })
    const failure = await captureFailure(runActivity(step, {}))
    expect(failure.message).toBe('cannot parse (a link) as it is')
    expect(JSON.stringify([failure.message, failure.stack])).not.toMatch(/5ec7e7|source\.test/)
  })
})

describe('a fault of the source', () => {
  it('fails the video immediately, with its code and a readable message', async () => {
    const input = await fixture.addVideo({ sourceUrl, status: 'processing' })
    await fixture.deps.storage.putBuffer(
      sourceKey(input.videoId),
      Buffer.from('no video'),
      'video/mp4',
    )
    expect(await captureFailure(prepare({}, input))).toMatchObject({
      nonRetryable: true,
      type: 'unsupported_container',
      message: 'The file is not a video file that can be read.',
    })
  })
})
