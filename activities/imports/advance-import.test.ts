import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  cancelImport,
  createImport,
  type ImportOrder,
} from '../../commands/imports/create-import.ts'
import { listImportLines } from '../../db/imports/video-imports.ts'
import type { NewImportLine } from '../../db/imports/write-video-imports.ts'
import type { ImportedFacts } from '../../domain/imports/video-import.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { advanceImport, type ImportDeps } from './advance-import.ts'

let fixture: IngestFixture
let deps: ImportDeps
let base: string
/** The requests for each path, by method. */
let requests: Record<string, string[]> = {}

const FACTS: ImportedFacts = {
  title: null,
  description: '',
  folderId: null,
  tags: [],
  metadata: {},
  keepOriginal: null,
}

/** Responds to paths that begin with /gone with 404, and refuses HEAD for those that begin with /signed. */
const listener: RequestListener = ({ url = '', method = '', headers }, response) => {
  ;(requests[url] ??= []).push(`${method} ${headers.range ?? ''}`.trim())
  const type = { 'content-type': 'video/mp4' }
  if (url.startsWith('/gone')) return response.writeHead(404).end()
  if (!url.startsWith('/signed'))
    return response.writeHead(200, { ...type, 'content-length': '5' }).end()
  if (method === 'HEAD') return response.writeHead(403).end()
  return response.writeHead(206, { ...type, 'content-range': 'bytes 0-0/7' }).end('x')
}

beforeAll(async () => {
  fixture = await openIngestFixture()
  fixture.network.dns.set('source.test', ['127.0.0.1'])
  const { port } = await fixture.network.serveHttps(['source.test'], listener)
  base = `https://source.test:${port}`
  const { db, masterKeys, egress } = fixture.deps
  deps = { db, masterKeys, egress, hasDrmProvider: false }
})
afterAll(() => fixture.close())

const em = () => fixture.deps.db.em.fork()
const execute = <T = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> =>
  em().execute(sql, values)

beforeEach(async () => {
  requests = {}
  await execute(`update video_import set state = 'cancelled', completed_at = now()`)
  await execute('truncate outbox')
})

const lineOf = (path: string, more: Partial<NewImportLine> = {}) => ({
  sourceUrl: base + path,
  externalId: null,
  sha256: null,
  ...more,
  facts: { ...FACTS, ...more.facts },
})

async function startImport(
  lines: ReturnType<typeof lineOf>[],
  atOnce = 4,
  bucket: ImportOrder['bucket'] = null,
): Promise<number> {
  const { accountId } = fixture
  const order = { accountId, atOnce, lines, bucket }
  const made = await em().transactional((tx) => createImport(tx, order, deps))
  return made.import.id
}

const advance = (importId: number, changed: Partial<ImportDeps> = {}) =>
  runActivity((input: { importId: number }) => advanceImport({ ...deps, ...changed }, input), {
    importId,
  })

const linesOf = async (id: number) => (await listImportLines(em(), { id }, { limit: 100 })).rows

const statesOf = async (id: number) => (await linesOf(id)).map(({ state }) => state)

const end = (videoId: string | null | undefined, status: string) =>
  execute(`update video set status = ?, error_code = ?, error_message = ? where id = ?`, [
    status,
    status === 'failed' ? 'unreadable_file' : null,
    status === 'failed' ? 'The file is damaged.' : null,
    videoId,
  ])

describe('a round of an import', () => {
  it('makes videos of its first lines, as many as may be made at the same time, with what the lines say', async () => {
    const facts = { ...FACTS, title: 'One', description: 'D', tags: ['a'], metadata: { b: 'c' } }
    const first = lineOf('/1.mp4', { externalId: 'own-1', facts: { ...facts, keepOriginal: true } })
    const id = await startImport([first, lineOf('/2.mp4'), lineOf('/3.mp4')], 2)
    expect(await advance(id)).toEqual({ waiting: 1, started: 2, isEnded: false })
    expect(await statesOf(id)).toEqual(['started', 'started', 'waiting'])
    const [one, two] = await linesOf(id)
    expect(await fixture.video(one?.videoId ?? '')).toMatchObject({
      accountId: fixture.accountId,
      status: 'queued',
      sourceUrl: `${base}/1.mp4`,
      externalId: 'own-1',
      title: 'One',
      description: 'D',
      tags: ['a'],
      metadata: { b: 'c' },
      keepOriginal: true,
      reservedBytes: 5,
    })
    expect(await fixture.video(two?.videoId ?? '')).toMatchObject({
      title: '2.mp4',
      keepOriginal: false,
    })
    expect(one).toMatchObject({ sourceUrl: '', facts: {} })
    const started = await execute(
      `select subject_id from outbox where command = 'ingest-video' order by id`,
    )
    expect(new Set(started.map(({ subject_id }) => subject_id))).toEqual(
      new Set([one?.videoId, two?.videoId]),
    )
  })

  it('settles the lines whose videos have ended, starts the next ones, and ends the import with the last', async () => {
    const id = await startImport(
      ['/4', '/5', '/6'].map((path) => lineOf(path)),
      2,
    )
    await advance(id)
    const [four, five] = await linesOf(id)
    await end(four?.videoId, 'ready')
    await end(five?.videoId, 'failed')
    expect(await advance(id)).toEqual({ waiting: 0, started: 1, isEnded: false })
    const six = (await linesOf(id))[2]
    await execute('update video set deleted_at = now() where id = ?', [six?.videoId])
    expect(await advance(id)).toEqual({ waiting: 0, started: 0, isEnded: true })
    expect(await linesOf(id)).toMatchObject([
      { state: 'ready', errorCode: null },
      { state: 'failed', errorCode: 'unreadable_file', errorMessage: 'The file is damaged.' },
      { state: 'failed', errorCode: 'video_not_found' },
    ])
    const [row] = await execute('select state, completed_at from video_import where id = ?', [id])
    expect(row).toMatchObject({ state: 'completed', completed_at: expect.anything() })
    expect(await advance(id)).toEqual({ waiting: 0, started: 0, isEnded: true })
  })

  it('makes one video of a line, also when it runs twice at the same time', async () => {
    const id = await startImport([lineOf('/7', { externalId: 'own-7' }), lineOf('/8')])
    await Promise.all([advance(id), advance(id), advance(id)])
    expect(await statesOf(id)).toEqual(['started', 'started'])
    for (const path of ['/7', '/8'])
      expect(
        await execute('select id from video where source_url = ?', [base + path]),
      ).toHaveLength(1)
  })

  it('leaves out a line whose external id a video or an upload of the account has', async () => {
    const { videoId } = await fixture.addVideo({})
    await execute(`update video set external_id = 'own-9' where id = ?`, [videoId])
    const id = await startImport([lineOf('/9', { externalId: 'own-9' })])
    expect(await advance(id)).toMatchObject({ isEnded: true })
    expect(await linesOf(id)).toMatchObject([{ state: 'exists', videoId, errorCode: null }])
    expect(requests).toEqual({})
    // The line names the video of another one: what an import says of a source is not for it.
    await execute(`update video set external_id = null where id = ?`, [videoId])
    const again = await startImport([lineOf('/9', { externalId: 'own-9' })])
    expect(await advance(again)).toMatchObject({ started: 1 })
  })

  it('asks a link that refuses HEAD for its first byte', async () => {
    const id = await startImport([lineOf('/signed')])
    expect(await advance(id)).toMatchObject({ started: 1 })
    expect(requests['/signed']).toEqual(['HEAD', 'GET bytes=0-0'])
    const [line] = await linesOf(id)
    expect((await fixture.video(line?.videoId ?? '')).reservedBytes).toBe(7)
  })

  it('fails a line alone whose link is refused, or for which the account has no room', async () => {
    const id = await startImport([
      lineOf('/gone'),
      lineOf('/10', { sourceUrl: 'https://10.0.0.1/x.mp4' }),
      lineOf('/11'),
    ])
    await fixture.limitStorage(1)
    await advance(id)
    await fixture.limitStorage(null)
    expect(await linesOf(id)).toMatchObject([
      { state: 'failed', errorCode: 'source_unreachable', videoId: null },
      { state: 'failed', errorCode: 'source_not_allowed' },
      { state: 'failed', errorCode: 'insufficient_storage' },
    ])
  })

  it('starts nothing of a cancelled import, and leaves the videos that have started', async () => {
    const id = await startImport([lineOf('/12'), lineOf('/13')], 1)
    await advance(id)
    await em().transactional((tx) => cancelImport(tx, fixture.accountId, id))
    expect(await advance(id)).toEqual({ waiting: 0, started: 1, isEnded: false })
    expect(await statesOf(id)).toEqual(['started', 'cancelled'])
  })

  it('keeps neither the link nor the facts of a line that is settled, whatever became of it', async () => {
    const { videoId } = await fixture.addVideo({})
    await execute(`update video set external_id = 'own-16' where id = ?`, [videoId])
    const id = await startImport(
      [lineOf('/gone'), lineOf('/16', { externalId: 'own-16' }), lineOf('/17'), lineOf('/18')],
      3,
    )
    await advance(id)
    await em().transactional((tx) => cancelImport(tx, fixture.accountId, id))
    expect(await statesOf(id)).toEqual(['failed', 'exists', 'started', 'cancelled'])
    for (const { sourceUrl, facts } of await linesOf(id))
      expect([sourceUrl, facts]).toEqual(['', {}])
  })

  it('settles the videos that end after their import was cancelled', async () => {
    const id = await startImport([lineOf('/14')])
    await advance(id)
    await em().transactional((tx) => cancelImport(tx, fixture.accountId, id))
    const [line] = await linesOf(id)
    await end(line?.videoId, 'ready')
    expect(await advance(id)).toMatchObject({ isEnded: true })
    expect(await statesOf(id)).toEqual(['ready'])
  })
})
