import { randomInt } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { appendEventFor } from '../commands/events.ts'
import { exactlyOne } from '../db/queries.ts'
import { setUpApiFixture } from '../test/fixtures/api.ts'
import {
  documentedOperations,
  type Documented,
} from '../test/fixtures/openapi/documented-operations.ts'
import {
  HOSTILE_BODIES,
  HOSTILE_ENDS,
  HOSTILE_JSON,
  HOSTILE_TIMES,
  HOSTILE_URL_TEXT,
  UNKNOWN_FIELDS,
} from '../test/fixtures/openapi/hostile-values.ts'
import { insertProgress } from '../test/fixtures/watched.ts'
import { HAS_EVERY_CASE } from '../test/infrastructure/every-case.ts'

const t = setUpApiFixture()
const { call } = t
const OPERATIONS = documentedOperations()

/** `npm test` sends one in so many requests to each operation. */
const SAMPLE = 10
/** The number of a sample, to repeat it. `npm run verify:hostile-input` sends every request. */
const { HOSTILE_INPUT = String(randomInt(SAMPLE)) } = process.env

/** The requests of this run. Each operation begins elsewhere, so that each value meets some operation. */
function sampleOf(operation: Documented, requests: Request[]): Request[] {
  if (HAS_EVERY_CASE) return requests
  const start = Number(HOSTILE_INPUT) + OPERATIONS.indexOf(operation)
  return requests.filter((_, index) => (start + index) % SAMPLE === 0)
}

/** Values that exist, by the name of the parameter; `id` by the start of its path. */
let known: Record<string, string | number>

const ownData = () => ({
  external_id: crypto.randomUUID(),
  tags: ['a'],
  metadata: { a: 'b' },
})

/** A valid body of each operation, in which one field at a time is replaced. */
const VALID: Record<string, () => Record<string, unknown>> = {
  createVideo: () => ({
    source_url: t.sourceUrl(),
    title: 'A',
    description: 'B',
    folder_id: known.folders,
  }),
  updateVideo: () => ({
    title: 'A',
    description: 'B',
    folder_id: known.folders,
    ...ownData(),
  }),
  createUpload: () => ({
    filename: 'lesson.mp4',
    size_bytes: 1,
    title: 'A',
    description: 'B',
    folder_id: known.folders,
    keep_original: true,
    expires_in_seconds: 60,
    allowed_origin: 'https://site.example',
    ...ownData(),
  }),
  createImport: () => ({
    at_once: 1,
    lines: [
      {
        source_url: t.sourceUrl(),
        title: 'A',
        description: 'B',
        folder_id: known.folders,
        keep_original: true,
        sha256: 'a'.repeat(64),
        ...ownData(),
      },
    ],
  }),
  createPlaybackToken: () => ({ viewer_id: 'v', ttl_seconds: 60 }),
  createCaption: () => ({ language_code: 'de', label: 'Deutsch', content: 'WEBVTT\n' }),
  createChapter: () => ({ title: 'A', start: 10, end: 20 }),
  updateChapter: () => ({ title: 'A', start: 0, end: 5 }),
  eraseViewer: () => ({ viewer_id: 'watcher' }),
  createMoment: () => ({ label: 'A', timestamp: 1 }),
  createFolder: () => ({ name: crypto.randomUUID() }),
  renameFolder: () => ({ name: crypto.randomUUID() }),
  createWebhookEndpoint: () => ({ url: `${t.outside.baseUrl}/hook`, events: ['video.ready'] }),
  updateWebhookEndpoint: () => ({ url: `${t.outside.baseUrl}/hook`, description: 'A' }),
  rotateWebhookSecret: () => ({ overlap_seconds: 60 }),
  createWebhookReplay: () => ({ since: '2026-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' }),
}

beforeAll(async () => {
  const post = async (path: string, body: object) =>
    (await call('POST', `/v1${path}`, { body })).json
  const videos = String((await post('/videos', { source_url: t.sourceUrl() })).id)
  const folders = Number((await post('/folders', { name: 'A' })).id)
  const line = { source_url: t.sourceUrl() }
  const imports = Number((await post('/imports', { lines: [line] })).id)
  const uploads = Number((await post('/uploads', { filename: 'a.mp4', size_bytes: 1 })).id)
  await post(`/videos/${videos}/captions`, { language_code: 'en', label: 'E', content: 'WEBVTT\n' })
  const chapter = await post(`/videos/${videos}/chapters`, { title: 'A', start: 0, end: 5 })
  const chapterId = exactlyOne(chapter.data as { id: number }[]).id
  const moment = await post(`/videos/${videos}/moments`, { label: 'A', timestamp: 1 })
  const body = { url: `${t.outside.baseUrl}/hook`, events: ['video.ready'] }
  const endpoint = await post('/webhook-endpoints', body)
  const em = t.db.em.fork()
  const { eventId, deliveryId } = await appendEventFor(em, Number(endpoint.id), {
    accountId: t.ours.id,
    type: 'video.ready',
    data: { id: videos, object: 'video', status: 'ready' },
  })
  await insertProgress(t.db, { accountId: t.ours.id, viewerId: 'watcher', videoId: videos })
  const replay = await post('/webhook-replays', { since: '2026-01-01T00:00:00Z' })
  known = {
    'webhook-replays': Number(replay.id),
    videos,
    folders,
    uploads,
    imports,
    chapter_id: chapterId,
    moment_id: Number(moment.id),
    language_code: 'en',
    code: '1C3J-1EM1-EZRT',
    viewer_id: 'watcher',
    'webhook-endpoints': Number(endpoint.id),
    'webhook-deliveries': deliveryId,
    events: eventId,
  }
  await em.execute(FOLLOW_CONTENTS)
})

/** Adds the hash of each row that is written and subtracts that of each that is removed or replaced. */
const FOLLOW_CONTENTS = `
  create table test_services.content_change (hash numeric);
  create function test_services.follow_contents() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        insert into test_services.content_change select -hashtextextended(tg_table_name || old::text, 0);
      end if;
      if tg_op <> 'DELETE' then
        insert into test_services.content_change select hashtextextended(tg_table_name || new::text, 0);
      end if;
      return null;
    end $$;
  do $$
    declare name text;
    begin
      -- The request counts may change.
      for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition and relname <> 'api_key_rate' loop
        execute format('create trigger follow_contents after insert or update or delete on %I
          for each row execute function test_services.follow_contents()', name);
      end loop;
    end $$;`

/** A digest of all stored rows, which is equal before and after requests that write nothing. */
async function contents(): Promise<string> {
  const [row] = await t.db.em
    .fork()
    .execute<{ digest: string }[]>(
      'select coalesce(sum(hash), 0)::text as digest from test_services.content_change',
    )
  return row?.digest ?? ''
}

const parameter = (path: string, name: string): string =>
  String(name === 'id' ? known[path.split('/')[2] ?? ''] : known[name])

const fill = (path: string, other: Record<string, string> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => other[name] ?? parameter(path, name))

type Request = { path?: string; raw?: string | Buffer; headers?: Record<string, string> }

/** Sends the requests of this run in turn; returns a line for each fault of a response. */
async function objections(operation: Documented, requests: Request[]): Promise<string[]> {
  const found: string[] = []
  let before = await contents()
  for (const { path = fill(operation.path), ...options } of sampleOf(operation, requests)) {
    const sent = `${operation.method} ${path.slice(0, 120)} ${options.raw?.toString().slice(0, 120) ?? ''}`
    const { status, code, headers } = await call(operation.method, path, options)
    const after = await contents()
    // No operation documents an unknown route.
    const isElsewhere = code === 'route_not_found' || code === 'method_not_allowed'
    const objection = isElsewhere ? null : operation.objection(status, code)
    // Documented too, but input must never cause an internal error.
    if (status >= 500) found.push(`${sent}: ${status}`)
    if (objection) found.push(`${sent}: ${objection}`)
    if (!headers.get('request-id')) found.push(`${sent}: has no Request-Id`)
    if (status >= 400 && before !== after)
      found.push(`${sent}: ${status}, yet something was written`)
    before = after
  }
  return found.length === 0 ? [] : [...found, `HOSTILE_INPUT=${HOSTILE_INPUT} repeats this`]
}

const withFields = (operations: Documented[]) =>
  operations.filter(({ bodyFields }) => bodyFields.length > 0)

describe('every input gets a documented response, and a refused one leaves no trace', () => {
  it.each(withFields(OPERATIONS))('as a field of the body of $id', async (operation) => {
    const { id, bodyFields } = operation
    const valid = VALID[id]
    if (!valid) throw new Error(`there is no valid body of ${id} to spoil`)
    const spoilt = (field: string, json: string | undefined): Request => {
      const others = Object.entries(valid()).filter(([name]) => name !== field)
      const lines = others.map(
        ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
      )
      if (json !== undefined) lines.push(`${JSON.stringify(field)}:${json}`)
      return { raw: `{${lines.join(',')}}` }
    }
    const values = [undefined, ...HOSTILE_JSON]
    const requests = bodyFields.flatMap((field) => values.map((json) => spoilt(field, json)))
    const unknown = UNKNOWN_FIELDS.map((field) => spoilt(field, '1'))
    const near = Object.entries(valid()).flatMap(([field, value]) => {
      if (typeof value !== 'string') return []
      const ends = HOSTILE_ENDS.flatMap((end) => [end + value, value + end])
      const times = Number.isNaN(Date.parse(value)) ? [] : HOSTILE_TIMES
      return [...ends, ...times].map((text) => spoilt(field, JSON.stringify(text)))
    })
    expect(await objections(operation, [...requests, ...unknown, ...near])).toEqual([])
  })

  it.each(OPERATIONS.filter(({ method }) => method === 'POST' || method === 'PATCH'))(
    'as the whole body of $id',
    async (operation) => {
      const requests = HOSTILE_BODIES.map(({ raw, type }) => ({
        raw,
        headers: { 'Content-Type': type ?? 'application/json' },
      }))
      expect(await objections(operation, requests)).toEqual([])
    },
  )

  it.each(OPERATIONS.filter(({ queryParameters }) => queryParameters.length > 0))(
    'in the query of $id',
    async (operation) => {
      const path = fill(operation.path)
      const texts = (name: string) =>
        operation.queryTimes.includes(name)
          ? [...HOSTILE_URL_TEXT, ...HOSTILE_TIMES.map(encodeURIComponent)]
          : HOSTILE_URL_TEXT
      const queries = operation.queryParameters.flatMap((name) => [
        ...['', '=', '=1&', '[]=1', '[a]=1', '[__proto__]=1'].map((end) => `${name}${end}`),
        `${name}=1&${name}=2`,
        ...texts(name).map((text) => `${name}=${text}`),
      ])
      // Both ends of a range, because one alone may exceed the longest range.
      const ranges = HOSTILE_TIMES.map((text) =>
        operation.queryTimes.map((name) => `${name}=${encodeURIComponent(text)}`).join('&'),
      )
      const unknown = ['nothing=1', '__proto__=1', '%00=1', '&&', '=', `${'x'.repeat(5000)}=1`]
      const requests = [...queries, ...ranges, ...unknown].map((query) => ({
        path: `${path}?${query}`,
      }))
      expect(await objections(operation, requests)).toEqual([])
    },
  )

  it('as the largest number of a query that is documented', async () => {
    const failed: string[] = []
    for (const { method, path, queryMaxima } of OPERATIONS)
      for (const [name, maximum] of Object.entries(queryMaxima)) {
        const { status } = await call(method, `${fill(path)}?${name}=${maximum}`)
        if (status >= 500) failed.push(`${method} ${path}?${name}=${maximum}: ${status}`)
      }
    expect(failed).toEqual([])
  })

  it.each(OPERATIONS.filter(({ pathParameters }) => pathParameters.length > 0))(
    'in the path of $id',
    async (operation) => {
      const valid = VALID[operation.id]?.()
      const requests = operation.pathParameters.flatMap((name) =>
        HOSTILE_URL_TEXT.map((text) => ({
          path: fill(operation.path, { [name]: text }),
          ...(valid && { raw: JSON.stringify(valid) }),
        })),
      )
      expect(await objections(operation, requests)).toEqual([])
    },
  )

  it.each(OPERATIONS.filter(({ method }) => method === 'POST'))(
    'as the Idempotency-Key of $id',
    async (operation) => {
      const keys = ['', ' ', '"', '""', '"a', 'é', 'x'.repeat(256), 'x'.repeat(8000), 'a\tb']
      const requests = keys.map((key) => ({ raw: '{', headers: { 'Idempotency-Key': key } }))
      expect(await objections(operation, requests)).toEqual([])
    },
  )
})
