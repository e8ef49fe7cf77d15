import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Reelgate, type Video } from '../../sdk/src/index.ts'
import { seal } from '../../security/sealing/sealing.ts'
import { importAccessContext } from '../../security/sealing/secret-contexts.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { openBucketHost, type BucketHost } from '../../test/fixtures/bucket-host.ts'
import { cliHarness, cliProcess, startCli } from '../../test/fixtures/cli.ts'
import { importRounds } from '../../test/fixtures/imports.ts'
import { until } from '../../test/infrastructure/wait-for.ts'

const t = setUpApiFixture()
const PATIENT_MS = 120_000
const WRONG = { AWS_SECRET_ACCESS_KEY: 'wrong-5ec7e7' }
const SOURCE = Buffer.alloc(1_000)
/** A key with every kind of character that an address may not have. */
const ODD = 'week 10/50% + “one”?#&=é.mp4'
let folder: string
let host: BucketHost
let rounds: ReturnType<typeof importRounds>
const usualAuthorities = getCACertificates('default')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-bucket-'))
  host = await openBucketHost(folder)
  const authority = await readFile(host.caFile, 'utf8')
  setDefaultCACertificates([...usualAuthorities, authority])
  rounds = importRounds(t, [authority])
})
afterAll(async () => {
  setDefaultCACertificates(usualAuthorities)
  await host.close()
  await rm(folder, { recursive: true, force: true })
})

interface ReportLine {
  line: number
  path: string
  video_id: string | null
  state: string
  reason: { code: string; message: string } | null
}

/** An account with command lines of its own: `run` starts a process, and `here` takes less time. */
async function newAccount() {
  const account = await t.makeAccount()
  const reelgate = new Reelgate({ apiKey: account.key, baseUrl: t.base })
  const environment = {
    REELGATE_API_KEY: account.key,
    AWS_ACCESS_KEY_ID: host.access.accessKeyId,
    AWS_SECRET_ACCESS_KEY: host.access.secretAccessKey,
    AWS_REGION: host.region,
    AWS_ENDPOINT_URL_S3: host.endpoint,
    NODE_EXTRA_CA_CERTS: host.caFile,
  }
  const args = (more: string[]) => ['import', ...more, '--api', t.base, '--json']
  const run = (env: Record<string, string>, ...more: string[]) =>
    cliProcess({ ...environment, ...env })(...args(more))
  const here = (env: Record<string, string>, ...more: string[]) =>
    cliHarness({ ...environment, ...env })(...args(more))
  return { ...account, reelgate, environment, run, here }
}

const parsed = (text: string): ReportLine[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ReportLine)

const codeOf = (stderr: string): string =>
  (JSON.parse(stderr) as { error: { code: string } }).error.code

const videosOf = async (reelgate: Reelgate): Promise<Video[]> =>
  (await reelgate.videos.list({ limit: 100 })).data.toSorted((one, other) =>
    one.title.localeCompare(other.title, 'en'),
  )

/** Puts four videos below `course/`, behind a first page of other objects, and others that are not imported. */
const putCourse = () =>
  host.put({
    ...Object.fromEntries(
      Array.from({ length: 1_001 }, (_, index) => [`course/a notes/${index}.txt`, 'x']),
    ),
    'course/Begin.mp4': SOURCE,
    'course/week 2/Middle.MKV': SOURCE,
    'course/week 2/Middle.de.vtt': 'WEBVTT\n',
    'course/week 2/.hidden.mp4': SOURCE,
    'course/week 10/Second.mov': SOURCE,
    [`course/${ODD}`]: SOURCE,
    'other/Another.mp4': SOURCE,
  })

/** Fails a video as its ingest does. */
const fail = (id: string | undefined, code: string) =>
  t.db.em
    .fork()
    .execute(
      `update video set status = 'failed', error_code = ?, error_message = 'Why.' where id = ?`,
      [code, id],
    )

describe('an import of a folder of a bucket', () => {
  it('makes each video once, also after a kill and with another access, which nothing says', async () => {
    await putCourse()
    const { id: accountId, reelgate, environment, run, here } = await newAccount()
    const address = `s3://${host.bucket}/course`
    const journal = join(folder, 'course.journal')
    const report = join(folder, 'report.ndjson')
    const [wrong, dry] = await Promise.all([
      run(WRONG, address, '--dry-run'),
      here({}, address, '--dry-run'),
    ])
    expect([wrong.status, wrong.stdout, codeOf(wrong.stderr)]).toEqual([
      1,
      '',
      'credentials_refused',
    ])
    expect(dry.json()).toMatchObject({
      lines: 4,
      objects: 4,
      links: 0,
      left_out: 1,
      size_bytes: 4 * SOURCE.length,
    })
    expect((await reelgate.imports.list()).data).toEqual([])

    const args = [address, '--journal', journal]
    const killed = startCli(environment, 'import', ...args, '--at-once', '1', '--api', t.base)
    const noted = async () => (await readFile(journal, 'utf8').catch(() => '')).split('\n')
    const importNoted = async () => (await noted()).findIndex((line) => line.includes('import_id'))
    await until(async () => (await importNoted()) !== -1, PATIENT_MS)
    await killed.kill()
    // As if it had noted its import for the first line alone, and its access had ended since.
    await writeFile(journal, (await noted()).slice(0, (await importNoted()) + 1).join('\n'))
    const ended = { ...host.access, secretAccessKey: WRONG.AWS_SECRET_ACCESS_KEY }
    await t.db.em
      .fork()
      .execute('update video_import set sealed_access = ? where account_id = ?', [
        seal(t.masterKeys, JSON.stringify(ended), importAccessContext(accountId)),
        accountId,
      ])
    await rounds.advance()
    const continued = run({}, ...args, '--at-once', '4', '--report', report)
    const imports = async () => (await reelgate.imports.list()).data
    await until(async () => (await imports()).some(({ state }) => state === 'cancelled'))
    const again = await rounds.advancing(() => continued)
    expect(again).toMatchObject({ status: 0, stderr: '' })
    const [, first] = await imports()
    expect(first).toMatchObject({ state: 'cancelled', lines: { failed: 1, cancelled: 3 } })
    const videos = await videosOf(reelgate)
    expect(videos.map(({ title }) => title)).toEqual([
      '50% + “one”?#&=é',
      'Begin',
      'Middle',
      'Second',
    ])
    const { data: folders } = await reelgate.folders.list()
    expect(videos.map((one) => folders.find(({ id }) => id === one.folder_id)?.name)).toEqual([
      'week 10',
      undefined,
      'week 2',
      'week 10',
    ])
    const lines = parsed(await readFile(report, 'utf8'))
    expect(lines.map(({ path, state }) => [path, state])).toEqual([
      ['course/Begin.mp4', 'imported'],
      ['course/week 2/Middle.MKV', 'imported'],
      [`course/${ODD}`, 'imported'],
      ['course/week 10/Second.mov', 'imported'],
    ])

    await fail(lines[0]?.video_id ?? undefined, 'source_unreachable')
    await fail(lines[1]?.video_id ?? undefined, 'unreadable_file')
    await rounds.advance()
    const last = await rounds.advancing(() => here({}, ...args))
    const [begin, middle, ...others] = parsed(last.stdout)
      .slice(0, -1)
      .toSorted((one, other) => one.line - other.line)
    expect(begin).toMatchObject({ state: 'imported' })
    expect(begin?.video_id).not.toBe(lines[0]?.video_id)
    expect(middle).toMatchObject({ state: 'failed', reason: { code: 'unreadable_file' } })
    expect(others.map(({ state }) => state)).toEqual(['imported', 'imported'])
    expect(await videosOf(reelgate)).toHaveLength(5)

    const written = [await readFile(journal, 'utf8'), await readFile(report, 'utf8'), t.logLines]
    const printed = [wrong, dry, again, last].map(({ stdout, stderr }) => stdout + stderr)
    const all = [...written.flat(), ...printed, killed.output()].join('\n')
    for (const secret of Object.values({ ...host.access, ...WRONG }))
      if (secret !== null) expect(all).not.toContain(secret)
  }, 240_000)
})

describe('a manifest with keys', () => {
  it('cancels no other import because a journal of another service has its number', async () => {
    await host.put({ 'other/2.mp4': SOURCE })
    const manifest = join(folder, 'numbered.ndjson')
    const line = { key: 'other/2.mp4', external_id: 'own-2' }
    await writeFile(manifest, JSON.stringify(line))
    const { reelgate, here } = await newAccount()
    const { id } = await reelgate.imports.create({ lines: [{ source_url: t.sourceUrl() }] })
    const at = new Date().toISOString()
    const numbers = { upload_id: null, video_id: null, import_id: id }
    const entry = { external_id: 'own-2', at, sha256: '', ...numbers, done: [] }
    await writeFile(`${manifest}.journal`, JSON.stringify(entry))
    const running = here({}, manifest, '--bucket', host.bucket)
    await until(async () => (await reelgate.imports.list()).data.length > 1, PATIENT_MS)
    expect(await reelgate.imports.get(id)).toMatchObject({ state: 'running' })
    expect(await rounds.advancing(() => running)).toMatchObject({ status: 0 })
  }, 240_000)

  it('is imported from the bucket that the command names, with what lies beside the manifest', async () => {
    await host.put({ 'own/1.mp4': SOURCE })
    await writeFile(join(folder, 'en.vtt'), 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n')
    const manifest = join(folder, 'keys.ndjson')
    const captions = [{ path: 'en.vtt', language: 'en', label: 'English' }]
    const lines = [{ key: 'own/1.mp4', external_id: 'own-1', captions }, { key: 'own/2.mp4' }]
    await writeFile(manifest, lines.map((line) => JSON.stringify(line)).join('\n'))
    const { reelgate, here } = await newAccount()
    const [unnamed, wrong] = await Promise.all([
      here({}, manifest),
      here(WRONG, manifest, '--bucket', host.bucket),
    ])
    expect(codeOf(wrong.stderr)).toBe('credentials_refused')
    expect((await reelgate.imports.list()).data).toEqual([])
    expect(unnamed.stderr).toContain('line 1: key is the key of an object: name its bucket with')
    const first = await rounds.advancing(() => here({}, manifest, '--bucket', host.bucket))
    expect(first.status).toBe(1)
    expect(parsed(first.stdout)).toMatchObject([
      { path: 'own/1.mp4', state: 'imported' },
      { path: 'own/2.mp4', state: 'failed', reason: { code: 'source_unreachable' } },
      { imported: 1, failed: 1 },
    ])
    const [video, ...others] = await videosOf(reelgate)
    expect(video).toMatchObject({ external_id: 'own-1', title: '1.mp4', caption_count: 1 })
    expect(others).toEqual([])
    const other = await here({}, manifest, '--bucket', 'another-bucket')
    expect(codeOf(other.stderr)).toBe('journal_of_another_bucket')
  }, 240_000)

  it.each<[string, Record<string, string>, string[], string, string]>([
    ['no secret', { AWS_SECRET_ACCESS_KEY: '' }, [], 'invalid_configuration', 'is not set'],
    [
      'no region',
      { AWS_REGION: '', AWS_ENDPOINT_URL_S3: '' },
      [],
      'invalid_configuration',
      'Where',
    ],
    [
      'an address without TLS',
      { AWS_ENDPOINT_URL_S3: 'http://s3.example.com' },
      [],
      'invalid_configuration',
      'https address',
    ],
    [
      'an address with a path',
      {},
      ['--endpoint-url', 'https://s3.example.com/lessons'],
      'invalid_parameter',
      'https address',
    ],
    [
      'a secret with a line break',
      { AWS_SESSION_TOKEN: 'a\nb' },
      [],
      'invalid_configuration',
      'printable',
    ],
    ['two buckets', {}, ['--bucket', 'lessons'], 'invalid_parameter', '--bucket'],
  ])('or a bucket is refused with %s', async (_what, env, more, code, words) => {
    const { here } = await newAccount()
    const { status, stdout, stderr } = await here(env, 's3://lessons/a', ...more)
    expect([status === 0, stdout, codeOf(stderr)]).toEqual([false, '', code])
    expect(stderr).toContain(words)
  })
})
