import { createHash, randomBytes } from 'node:crypto'
import { request as sendRequest } from 'node:http'
import { Client } from 'minio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createImport } from '../../commands/imports/create-import.ts'
import { listImportLines } from '../../db/imports/video-imports.ts'
import { keyOfLink, objectLink } from '../../domain/imports/video-import.ts'
import { openIngestFixture, runActivity, type IngestFixture } from '../../test/fixtures/ingest.ts'
import { readSource } from '../../test/fixtures/stored-source.ts'
import { s3Server, type TestBucket } from '../../test/infrastructure/services.ts'
import { createDownloadSource } from '../download/download-source.ts'
import { checkSum } from '../source/check-sum.ts'
import { advanceImport } from './advance-import.ts'

const SOURCE = randomBytes(300_000)
/** A key with every kind of character that an address may not have. Escaped, it is longer than a link may be. */
const KEY = `${`${'講義'.repeat(40)}/`.repeat(3)}Año 1/50% + “one”?#&=é.mp4`

let fixture: IngestFixture
let bucket: TestBucket
let endpoint: string
/** The methods and queries of the requests to the S3 server. */
let requests: string[] = []

beforeAll(async () => {
  ;[fixture, bucket] = await Promise.all([openIngestFixture(), s3Server()])
  const { hostname, port } = new URL(bucket.endpoint)
  const { region, accessKey, secretKey, pathStyle } = bucket
  const place = { endPoint: hostname, port: Number(port), useSSL: false, region, pathStyle }
  await new Client({ ...place, accessKey, secretKey }).putObject(bucket.bucket, KEY, SOURCE)
  fixture.network.dns.set('s3.test', ['127.0.0.1'])
  // Passes requests with their Host on, which the signature covers.
  const front = await fixture.network.serveHttps(['s3.test'], (request, response) => {
    const { method = '', url: path, headers } = request
    requests.push(`${method} ${path ?? ''}`)
    const passed = sendRequest({ hostname, port, method, path, headers }, (received) => {
      response.writeHead(received.statusCode ?? 500, received.headers)
      received.pipe(response)
    })
    request.pipe(passed)
  })
  endpoint = `https://s3.test:${front.port}`
})
afterAll(() => fixture.close())

const em = () => fixture.deps.db.em.fork()
const rules = () => ({ ...fixture.deps, hasDrmProvider: false })

/** Starts an import of one object, and makes its first round. */
async function importObject(
  secretAccessKey = bucket.secretKey,
  key = KEY,
  { name = bucket.bucket, sourceUrl }: { name?: string; sourceUrl?: string } = {},
) {
  const named = { endpoint, region: bucket.region, name }
  const facts = { title: null, description: '', folderId: null, keepOriginal: null }
  const line = {
    sourceUrl: sourceUrl ?? objectLink(named, key),
    externalId: null,
    sha256: createHash('sha256').update(SOURCE).digest('hex'),
    facts: { ...facts, tags: [], metadata: {} },
  }
  const access = { accessKeyId: bucket.accessKey, secretAccessKey, sessionToken: null }
  const order = {
    accountId: fixture.accountId,
    atOnce: 1,
    lines: [line],
    bucket: { ...named, ...access },
  }
  const made = await em().transactional((tx) => createImport(tx, order, rules()))
  const importId = made.import.id
  const advance = () =>
    runActivity((input: { importId: number }) => advanceImport(rules(), input), { importId })
  const round = await advance()
  const [found] = (await listImportLines(em(), { id: importId }, { limit: 1 })).rows
  return { importId, round, line: found, advance }
}

const accessOf = async (importId: number) =>
  (await em().execute('select sealed_access from video_import where id = ?', [importId]))[0]
    ?.sealed_access

describe('an object of a bucket', () => {
  it('is checked and downloaded by addresses that are signed for GET alone, and has the checksum of its line', async () => {
    const { importId, round, line, advance } = await importObject()
    expect(round).toMatchObject({ started: 1 })
    const videoId = line?.videoId ?? ''
    const video = await fixture.video(videoId)
    expect(video).toMatchObject({ title: '50% + “one”?#&=é.mp4', reservedBytes: SOURCE.length })
    const input = { videoId, accountId: fixture.accountId, countsFailures: true }
    const outcome = await runActivity(createDownloadSource(fixture.deps), input)
    expect(outcome).toEqual({ ok: true, sizeBytes: SOURCE.length })
    expect((await readSource(fixture.deps, videoId)).equals(SOURCE)).toBe(true)
    await checkSum(fixture.deps, videoId, { signal: new AbortController().signal })
    expect(requests.map((request) => request.split(' ')[0])).toEqual([
      'HEAD',
      'GET',
      'HEAD',
      'GET',
      'GET',
    ])
    expect(await accessOf(importId)).not.toBeNull()
    await em().execute(`update video set status = 'ready' where id = ?`, [videoId])
    expect(await advance()).toMatchObject({ isEnded: true })
    expect(await accessOf(importId)).toBeNull()
  })

  it('fails its line if the bucket refuses what should open it, and no row names it', async () => {
    const secret = `wrong-${randomBytes(8).toString('hex')}`
    const { importId, line } = await importObject(secret)
    expect(line).toMatchObject({ state: 'failed', errorCode: 'source_unreachable' })
    const dump = JSON.stringify([
      await em().execute('select * from video_import where id = ?', [importId]),
      await em().execute('select * from video_import_line where import_id = ?', [importId]),
      await em().execute('select * from outbox'),
    ])
    expect(dump).not.toContain(secret)
    expect(dump).not.toContain('X-Amz')
  })

  it('fails its line if there is no such object', async () => {
    const { line } = await importObject(bucket.secretKey, 'other.mp4')
    expect(line).toMatchObject({ state: 'failed', errorCode: 'source_unreachable' })
  })

  it.each([
    ['no key', 's3://bucket/'],
    ['a key that is too long', `s3://bucket/${'a'.repeat(1_025)}`],
    ['a key that is no text', 's3://bucket/%ff.mp4'],
    ['no address', 's3:'],
  ])('fails its line alone if its link has %s', async (_what, sourceUrl) => {
    const { line } = await importObject(bucket.secretKey, KEY, { sourceUrl })
    expect(line).toMatchObject({ state: 'failed', errorCode: 'invalid_source_url' })
  })

  it('fails its line alone if its bucket has a name that none can have', async () => {
    const { line } = await importObject(bucket.secretKey, KEY, { name: 'a..b' })
    expect(line).toMatchObject({ state: 'failed', errorCode: 'invalid_source_url' })
  })

  it('fails its download once what opens the bucket is removed', async () => {
    const { importId, line } = await importObject()
    await em().execute('update video_import set sealed_access = null where id = ?', [importId])
    const input = {
      videoId: line?.videoId ?? '',
      accountId: fixture.accountId,
      countsFailures: false,
    }
    const outcome = await runActivity(createDownloadSource(fixture.deps), input)
    expect(outcome).toMatchObject({ ok: false, code: 'source_unreachable' })
  })
})

describe('the link of an object', () => {
  it('names its key, whatever characters it has', () => {
    const named = { endpoint, region: 'x', name: 'a.b' }
    for (const key of [KEY, 'a//b', '/a', 'a/', '..', 's3://x/y', '%2F'])
      expect(keyOfLink(objectLink(named, key))).toBe(key)
    expect(keyOfLink('https://source.test/a')).toBeNull()
  })
})
