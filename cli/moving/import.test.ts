import { randomBytes, randomInt } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Reelgate, type Video } from '../../sdk/src/index.ts'
import type { AccountFixture } from '../../test/fixtures/account.ts'
import { openApiFront } from '../../test/fixtures/api-front.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { cliHarness, startCli } from '../../test/fixtures/cli.ts'
import { setUploadedPoster } from '../../test/fixtures/ingest-video.ts'
import { writeLibrary, type LibraryVideo } from '../../test/fixtures/library.ts'
import { makePng } from '../../test/fixtures/pictures.ts'
import { readSource } from '../../test/fixtures/stored-source.ts'
import { someOf } from '../../test/infrastructure/every-case.ts'
import { until } from '../../test/infrastructure/wait-for.ts'

const t = setUpApiFixture()
/** For the start of a process on a machine that has much to do. */
const PATIENT_MS = 120_000
const COUNT = 20
/** Repeats a run that failed. */
const SEED = Number(process.env.IMPORT_SEED ?? randomInt(1_000))
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-import-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface ReportLine {
  line: number
  external_id: string
  video_id: string | null
  sha256: string
  state: string
  reason: { code: string; message: string } | null
}

const parsed = <T>(text: string): T[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)

/** An account with a command line and a client of its own. */
async function newAccount() {
  const account: AccountFixture = await t.makeAccount()
  const reelgate = new Reelgate({ apiKey: account.key, baseUrl: t.base })
  const environment = { REELGATE_API_KEY: account.key }
  const run = (...args: string[]) =>
    cliHarness(environment)('import', ...args, '--api', t.base, '--json')
  return { ...account, reelgate, environment, run }
}

async function allVideos(reelgate: Reelgate): Promise<Video[]> {
  const videos: Video[] = []
  for await (const video of reelgate.videos.listAll()) videos.push(video)
  return videos
}

/** Checks that an account has each video of a library once, with its bytes, and no unfinished upload. */
async function expectWhole(reelgate: Reelgate, videos: readonly LibraryVideo[], base: string) {
  const byId = new Map((await allVideos(reelgate)).map((video) => [video.external_id, video]))
  expect([byId.size, (await allVideos(reelgate)).length]).toEqual([videos.length, videos.length])
  for (const { externalId, sha256, path } of videos) {
    const video = byId.get(externalId ?? `sha256:${sha256}`)
    if (!video) throw new Error(`there is no video of ${path}`)
    expect((await readSource(t, video.id)).equals(await readFile(join(base, path)))).toBe(true)
  }
  const { data } = await reelgate.uploads.list({ limit: 100 })
  expect(data.filter(({ upload_url: url }) => url !== null)).toEqual([])
  return byId
}

/** Starts an import, and kills it with a request in flight once its journal has so many records. The request still reaches the service. */
async function importUntilKilled(
  environment: Record<string, string>,
  manifest: string,
  wanted: number,
): Promise<void> {
  const countRecords = async (): Promise<number> =>
    (await readFile(`${manifest}.journal`, 'utf8').catch(() => '')).match(/.+/g)?.length ?? 0
  let isKilled = false
  const front = await openApiFront(t.base, async (_request, pass) => {
    if ((await countRecords()) >= wanted) {
      await killed.kill()
      isKilled = true
    }
    return pass()
  })
  const killed = startCli(environment, 'import', manifest, '--api', front.base)
  try {
    await until(() => isKilled, PATIENT_MS)
  } finally {
    await killed.kill()
    await front.close()
  }
}

describe('an import that is killed', () => {
  it(`continues where it was, makes no video twice, and reports every line (IMPORT_SEED=${SEED})`, async () => {
    const base = join(folder, 'killed')
    const { manifest, videos } = await writeLibrary(base, { count: COUNT })
    const { reelgate, environment, run } = await newAccount()
    // A video has at least five records. There are more than this before the first request for the last one.
    const wanted = 1 + Math.floor(COUNT * 5 * (SEED / 1_000) * 0.9)
    await importUntilKilled(environment, manifest, wanted)
    expect((await allVideos(reelgate)).length).toBeLessThan(COUNT)
    const report = join(base, 'report.ndjson')
    const redirects = join(base, 'redirects.csv')
    const last = await run(manifest, '--report', report, '--redirects', redirects)
    expect(last).toMatchObject({ status: 0, stderr: '' })
    const byId = await expectWhole(reelgate, videos, base)
    const lines = parsed<ReportLine>(await readFile(report, 'utf8'))
    expect(lines).toEqual(
      videos.map(({ externalId, sha256, path }, index) => {
        const id = externalId ?? `sha256:${sha256}`
        const video_id = byId.get(id)?.id
        const end = { video_id, sha256, state: 'imported', reason: null }
        return { line: index + 1, path, external_id: id, ...end }
      }),
    )
    const map = (await readFile(redirects, 'utf8')).split('\r\n')
    expect(map).toHaveLength(COUNT + 2)
    const first = byId.get('course/lesson-1')
    expect(map.slice(0, 2)).toEqual([
      'old_url,new_url',
      `https://old.example/watch?v=1,${first?.embed_url}`,
    ])
    await expectFields(reelgate, first)
  }, 240_000)

  async function expectFields(reelgate: Reelgate, video: Video | undefined): Promise<void> {
    const folders = (await reelgate.folders.list()).data
    expect(folders.map(({ name }) => name).toSorted()).toEqual(['Autumn', 'Winter / Spring'])
    expect(video).toMatchObject({
      title: 'Lesson 1: “ü & <b>”',
      description: 'Line one\nline two',
      folder_id: folders.find(({ name }) => name === 'Autumn')?.id,
      tags: ['course', 'part 0'],
      metadata: { course: '7', lesson: '1', original_created_at: '2020-01-01T00:00:00+02:00' },
      caption_count: 1,
      chapter_count: 2,
    })
    const { content } = await reelgate.captions.get(video?.id ?? '', 'en')
    expect(content).toBe('WEBVTT\n\n00:00.000 --> 00:01.000\nLesson 1.\n')
  }
})

describe('an import', () => {
  it('ends the same from any part of its journal, also without one and with a torn line', async () => {
    const base = join(folder, 'torn')
    const { manifest, videos } = await writeLibrary(base, { count: 4 })
    const { reelgate, run } = await newAccount()
    expect((await run(manifest)).status).toBe(0)
    const journal = await readFile(`${manifest}.journal`, 'utf8')
    const ids = (await allVideos(reelgate)).map(({ id }) => id)
    const ends = journal
      .split('\n')
      .map((_, index, lines) => lines.slice(0, index).join('\n').length)
    for (const end of [0, ...someOf(ends, 5)]) {
      await writeFile(`${manifest}.journal`, journal.slice(0, end + 30))
      const again = await run(manifest)
      expect([end, again.status, again.stderr]).toEqual([end, 0, ''])
      const states = parsed<ReportLine>(again.stdout).slice(0, -1)
      expect(new Set(states.map(({ video_id: id }) => id))).toEqual(new Set(ids))
      expect((await allVideos(reelgate)).map(({ id }) => id)).toEqual(ids)
    }
    await expectWhole(reelgate, videos, base)
  }, 240_000)

  it('by two runs at once makes each video once', async () => {
    const base = join(folder, 'two')
    const { manifest, videos } = await writeLibrary(base, { count: 8 })
    const { reelgate, run } = await newAccount()
    const runs = await Promise.all([
      run(manifest),
      run(manifest, '--journal', join(base, 'other.journal')),
    ])
    expect(runs.map(({ stderr }) => stderr)).toEqual(['', ''])
    await expectWhole(reelgate, videos, base)
  }, 240_000)

  it('makes a deleted video again, and those of another account', async () => {
    const { manifest, videos } = await writeLibrary(join(folder, 'deleted'), { count: 3 })
    const [one, other] = [await newAccount(), await newAccount()]
    await one.run(manifest)
    const [first] = await allVideos(one.reelgate)
    await one.reelgate.videos.delete(first?.id ?? '')
    expect((await one.run(manifest)).status).toBe(0)
    await expectWhole(one.reelgate, videos, join(folder, 'deleted'))
    expect((await other.run(manifest)).status).toBe(0)
    await expectWhole(other.reelgate, videos, join(folder, 'deleted'))
  })

  it('takes no other upload for its own because a journal of another service has its number', async () => {
    const other = await writeLibrary(join(folder, 'numbered-other'), { count: 1 })
    const base = join(folder, 'numbered')
    const { manifest, videos } = await writeLibrary(base, { count: 2 })
    const { reelgate, run } = await newAccount()
    await run(other.manifest)
    const [before] = await allVideos(reelgate)
    await reelgate.videos.update(before?.id ?? '', { external_id: 'before' })
    const [upload] = (await reelgate.uploads.list()).data
    const open = await reelgate.uploads.create({
      filename: 'open.mp4',
      size_bytes: 10,
      external_id: 'open',
    })
    const records = [
      { ...videos[1], upload_id: upload?.id },
      { ...videos[0], upload_id: open.id },
    ].map(({ externalId, sha256, upload_id }) => {
      const external_id = externalId ?? `sha256:${sha256}`
      const at = new Date().toISOString()
      return JSON.stringify({ external_id, at, sha256, upload_id, video_id: null, done: [] })
    })
    await writeFile(`${manifest}.journal`, records.join('\n'))
    expect(await run(manifest)).toMatchObject({ status: 0 })
    expect(await reelgate.videos.get(before?.id ?? '')).toMatchObject({
      caption_count: before?.caption_count,
      chapter_count: before?.chapter_count,
    })
    await reelgate.videos.delete(before?.id ?? '')
    expect(await reelgate.uploads.get(open.id)).toMatchObject({ status: 'waiting' })
    await reelgate.uploads.cancel(open.id)
    await expectWhole(reelgate, videos, base)
  })

  it('leaves a video that was there before, and gives it what it lacks', async () => {
    const { manifest } = await writeLibrary(join(folder, 'present'), { count: 1 })
    const { reelgate, run } = await newAccount()
    const video = await reelgate.videos.create({ source_url: t.sourceUrl(), title: 'Before' })
    await reelgate.videos.update(video.id, { external_id: 'course/lesson-1' })
    await reelgate.chapters.create(video.id, { title: 'Mine', start: 3, end: 9 })
    const [line] = parsed<ReportLine>((await run(manifest)).stdout)
    expect(line).toMatchObject({ state: 'present', video_id: video.id })
    expect(await reelgate.videos.get(video.id)).toMatchObject({
      title: 'Before',
      caption_count: 1,
      chapter_count: 1,
    })
  })

  it('ends a line with a reason and goes on with the others', async () => {
    const base = join(folder, 'reasons')
    await mkdir(base)
    const same = randomBytes(10)
    await writeFile(join(base, 'a.mp4'), same)
    await writeFile(join(base, 'b.mp4'), same)
    await writeFile(join(base, 'c.mp4'), randomBytes(10))
    await writeFile(join(base, 'd.mp4'), randomBytes(10))
    await writeFile(join(base, 'bad.vtt'), 'no WebVTT')
    const manifest = join(base, 'm.ndjson')
    const caption = { path: 'bad.vtt', language: 'en', label: 'E' }
    const lines = [
      { path: 'a.mp4' },
      { path: 'b.mp4' },
      { path: 'c.mp4', sha256: 'f'.repeat(64) },
      { path: 'd.mp4', captions: [caption] },
    ]
    await writeFile(manifest, lines.map((line) => JSON.stringify(line)).join('\n'))
    const { reelgate, run } = await newAccount()
    const first = await run(manifest, '--at-once', '1')
    expect(first.status).toBe(1)
    expect(JSON.parse(first.stderr)).toMatchObject({ error: { code: 'import_incomplete' } })
    const codes = parsed<ReportLine>(first.stdout).map(({ reason }) => reason?.code)
    expect(codes.slice(0, -1)).toEqual([
      undefined,
      'duplicate_content',
      'checksum_differs',
      'invalid_caption',
    ])
    expect(await allVideos(reelgate)).toHaveLength(2)
    await writeFile(join(base, 'bad.vtt'), 'WEBVTT\n')
    const second = parsed<ReportLine>((await run(manifest, '--at-once', '1')).stdout)
    expect(second[3]).toMatchObject({ state: 'imported', reason: null })
    await appendFile(join(base, 'd.mp4'), 'more')
    const third = parsed<ReportLine>((await run(manifest, '--at-once', '1')).stdout)
    // Without an external id, another content is another video.
    expect(third[3]).toMatchObject({ state: 'imported', reason: null })
    expect(third[3]?.video_id).not.toBe(second[3]?.video_id)
  })

  it('refuses a file that has changed since its video was made, under the same external id', async () => {
    const base = join(folder, 'changed')
    const { manifest } = await writeLibrary(base, { count: 1 })
    const { run } = await newAccount()
    expect((await run(manifest)).status).toBe(0)
    await appendFile(join(base, 'files/lesson 1.mp4'), 'more')
    const [line] = parsed<ReportLine>((await run(manifest)).stdout)
    expect(line).toMatchObject({ state: 'failed', reason: { code: 'file_changed' } })
  })

  it('of a folder takes its videos, with what lies beside them', async () => {
    const base = join(folder, 'plain')
    await mkdir(join(base, 'week 1/day 2'), { recursive: true })
    const files = {
      'Begin.mp4': randomBytes(10),
      'week 1/day 2/Middle.MKV': randomBytes(10),
      'week 1/day 2/Middle.pt-br.vtt': 'WEBVTT\n',
      'week 1/day 2/Middle.de.vtt': 'WEBVTT\n',
      'week 1/day 2/Middle.chapters.json': '[{"title":"One","start":0,"end":5}]',
      'notes.txt': 'no video',
      '.hidden.mp4': 'no video',
    }
    for (const [name, content] of Object.entries(files)) await writeFile(join(base, name), content)
    const { reelgate, run } = await newAccount()
    expect((await run(base)).status).toBe(0)
    expect((await run(base)).status).toBe(0)
    const [middle, begin, ...others] = (await allVideos(reelgate)).toSorted((one, other) =>
      other.title.localeCompare(one.title),
    )
    expect(others).toEqual([])
    expect(begin).toMatchObject({ title: 'Begin', folder_id: null, caption_count: 0 })
    const { data: folders } = await reelgate.folders.list()
    expect(folders.map(({ name }) => name)).toEqual(['week 1/day 2'])
    expect(middle).toMatchObject({ title: 'Middle', folder_id: folders[0]?.id, chapter_count: 1 })
    const { data: captions } = await reelgate.captions.list(middle?.id ?? '')
    expect(captions.map(({ language_code, label }) => [language_code, label])).toEqual([
      ['de', 'Deutsch'],
      ['pt-BR', 'Português (Brasil)'],
    ])
  })

  it('sets posters once the videos are ready, and says which one is no picture', async () => {
    const base = join(folder, 'posters')
    const workDir = join(base, 'work')
    await mkdir(workDir, { recursive: true })
    for (const name of ['a.mp4', 'b.mp4']) await writeFile(join(base, name), randomBytes(10))
    await writeFile(join(base, 'a.png'), makePng())
    await writeFile(join(base, 'b.png'), 'no picture')
    const manifest = join(base, 'm.ndjson')
    const lines = ['a', 'b'].map((name) => ({ path: `${name}.mp4`, poster: `${name}.png` }))
    await writeFile(manifest, lines.map((line) => JSON.stringify(line)).join('\n'))
    const { id: accountId, reelgate, run } = await newAccount()
    const first = parsed<ReportLine>((await run(manifest)).stdout).slice(0, 2)
    expect(first.map(({ state }) => state)).toEqual(['imported', 'imported'])
    const sql = `update video set status = 'ready', has_poster = true where account_id = ?`
    await t.db.em.fork().execute(sql, [accountId])
    const second = run(manifest, '--at-once', '1')
    const id = first.find(({ line }) => line === 1)?.video_id ?? ''
    const isPending = async () => (await reelgate.posters.getUpload(id)).status === 'pending'
    await until(isPending, PATIENT_MS)
    const { db, masterKeys, storage } = t
    await setUploadedPoster(id, { db, masterKeys, storage, workDir, accountId })
    const outcomes = parsed<ReportLine>((await second).stdout)
    expect(outcomes.slice(0, 2).map(({ reason }) => reason?.code)).toEqual([
      undefined,
      'unsupported_picture',
    ])
    expect((await reelgate.videos.get(id)).poster_url).toContain('?v=1')
    const third = parsed<ReportLine>((await run(manifest)).stdout)
    expect(third.find(({ line }) => line === 1)).toMatchObject({ state: 'imported' })
  }, 240_000)

  it('ends at Ctrl-C with a report of every line, and the next run goes on', async () => {
    const base = join(folder, 'interrupted')
    const { manifest, videos } = await writeLibrary(base, { count: 6 })
    const { reelgate, environment, run } = await newAccount()
    const report = join(base, 'report.ndjson')
    const args = [manifest, '--api', t.base, '--at-once', '1', '--report', report]
    const running = startCli(environment, 'import', ...args)
    await until(() => running.records.length > 0, PATIENT_MS)
    expect(await running.interrupt()).toBe(1)
    const states = parsed<ReportLine>(await readFile(report, 'utf8')).map(({ state }) => state)
    expect(states).toHaveLength(6)
    expect(new Set(states)).toEqual(new Set(['imported', 'interrupted']))
    expect((await run(manifest)).status).toBe(0)
    await expectWhole(reelgate, videos, base)
  }, 240_000)
})

describe('a manifest with faults', () => {
  const write = async (name: string, lines: (object | string)[]): Promise<string> => {
    const path = join(folder, `${name}.ndjson`)
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    await writeFile(path, texts.join('\n'))
    return path
  }

  it('is refused as a whole before anything is sent, with each line and field', async () => {
    await writeFile(join(folder, 'a.mp4'), 'a')
    await symlink('/etc/hostname', join(folder, 'out.mp4'))
    await symlink('a.mp4', join(folder, 'in.mp4'))
    const manifest = await write('faults', [
      { path: 'a.mp4', external_id: 'x' },
      { path: 'a.mp4', external_id: 'x' },
      { path: 'out.mp4' },
      { path: 'missing.mp4', titel: 'A' },
      '',
      { path: 'missing.mp4', captions: [{ path: 'in.mp4', language: 'en', label: 'E' }] },
      { key: 'a.mp4' },
      '{"path": "in.mp4"',
    ])
    const { reelgate, run } = await newAccount()
    const { status, stdout, stderr } = await run(manifest)
    expect([status, stdout]).toEqual([1, ''])
    const { error } = JSON.parse(stderr) as { error: { code: string; message: string } }
    expect(error.code).toBe('manifest_invalid')
    expect(error.message.split('\n').slice(1)).toEqual([
      'line 2: external_id is that of line 1 too',
      'line 2: path is that of line 1 too',
      'line 3: path is a link that leaves the folder',
      'line 4: titel is not a field of a manifest',
      'line 6: path does not exist',
      'line 7: key is the key of an object: name its bucket with --bucket',
      'line 8: it must be an object of JSON',
    ])
    expect(await allVideos(reelgate)).toEqual([])
  })

  it('names its first faults and counts the others', async () => {
    const manifest = await write(
      'many',
      Array.from({ length: 30 }, () => ({ path: 'no.mp4' })),
    )
    const { run } = await newAccount()
    expect((await run(manifest)).stderr).toContain('and 39 more')
  })
})

describe('a dry run', () => {
  it('says what would be sent and what it takes, and sends nothing', async () => {
    const { manifest } = await writeLibrary(join(folder, 'dry'), { count: 3 })
    const { reelgate, run } = await newAccount()
    const { status, stdout } = await run(manifest, '--dry-run')
    expect(status).toBe(0)
    const sizeBytes = 100_000 + 800_000 + 1_500_000
    const seconds = sizeBytes / 625_000
    expect(JSON.parse(stdout)).toEqual({
      object: 'import_plan',
      lines: 3,
      already_imported: 0,
      size_bytes: sizeBytes,
      duration: Math.round(seconds),
      measured: 0,
      links: 0,
      objects: 0,
      left_out: 0,
      rendition_bytes_max: expect.any(Number) as number,
      core_seconds: Math.round(seconds * 1.1 * 2.25),
    })
    expect(await allVideos(reelgate)).toEqual([])
  })
})
