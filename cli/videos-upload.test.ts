import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Reelgate } from '../sdk/src/index.ts'
import { setUpApiFixture } from '../test/fixtures/api.ts'
import { cliHarness } from '../test/fixtures/cli.ts'
import { readSource } from '../test/fixtures/stored-source.ts'
import { createOutput } from './output.ts'
import { runCli } from './program.ts'
import { collectFiles } from './upload/collect-files.ts'
import { createUploadReport, type FileOutcome } from './upload/report.ts'
import { uploadFiles } from './upload/upload-files.ts'

const MIB = 1 << 20
const t = setUpApiFixture()
let folder: string
let key: string
let reelgate: Reelgate

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-cli-'))
  key = await t.keyFor(t.ours.id, ['videos:write', 'folders:read', 'folders:write'])
  reelgate = new Reelgate({ apiKey: t.ours.key, baseUrl: t.base })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Writes a file that is older than every upload. */
async function write(name: string, content: Buffer): Promise<string> {
  const path = join(folder, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, content)
  await utimes(path, new Date(0), new Date(0))
  return path
}

const upload = (...args: string[]) =>
  cliHarness({ REELGATE_API_KEY: key })('videos', 'upload', '--api', t.base, ...args)

interface Line {
  file: string
  filename: string
  continued_bytes: number
  video_id: string
  error: { code: string } | null
}

const lines = ({ stdout }: { stdout: string }): Line[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

describe('videos upload', () => {
  it('uploads files and the videos of folders, one JSON line each, into a folder that it makes once', async () => {
    const content = randomBytes(1_000)
    const one = await write('one.bin', content)
    await write('course/10 End.mp4', randomBytes(10))
    await write('course/2 Middle.MKV', randomBytes(10))
    await write('course/week 1/Begin.mp4', randomBytes(10))
    await write('course/notes.txt', randomBytes(10))
    await write('course/.hidden.mp4', randomBytes(10))
    const run = await upload('--json', '--folder', 'Course', one, join(folder, 'course'))
    expect(run).toMatchObject({ status: 0, stderr: '' })
    expect(lines(run).map(({ filename }) => filename)).toEqual([
      'one.bin',
      '2 Middle.MKV',
      '10 End.mp4',
      'week 1 - Begin.mp4',
    ])
    const [first, , , last] = lines(run)
    expect(first).toMatchObject({ file: one, continued_bytes: 0, error: null })
    expect((await readSource(t, String(first?.video_id))).equals(content)).toBe(true)
    const { data: folders } = await reelgate.folders.list()
    expect(folders.map(({ name }) => name)).toEqual(['Course'])
    const video = await reelgate.videos.get(String(last?.video_id))
    expect(video).toMatchObject({ title: 'week 1 - Begin', folder_id: folders[0]?.id })
    expect((await upload('--folder', 'Course', one)).status).toBe(0)
    expect((await reelgate.folders.list()).data).toHaveLength(1)
  })

  it('continues what an interrupted run has begun, unless the file has changed since', async () => {
    const content = randomBytes(18 * MIB)
    const path = await write('long.mp4', content)
    const stopping = new AbortController()
    const outcomes: FileOutcome[] = []
    const report = {
      ...createUploadReport(
        createOutput(true, () => {}),
        2,
      ),
      sent: (bytes: number) => bytes > 17 * MIB && stopping.abort(),
      end: (_file: unknown, outcome: FileOutcome) => void outcomes.push(outcome),
    }
    const files = await collectFiles([path, path])
    const failed = await uploadFiles({ reelgate, files, report, signal: stopping.signal })
    expect([failed, outcomes.map(({ error }) => error?.code)]).toEqual([2, ['interrupted']])
    const again = await upload('--json', path)
    const [line] = lines(again)
    expect(line?.continued_bytes).toBeGreaterThanOrEqual(16 * MIB)
    expect((await readSource(t, String(line?.video_id))).equals(content)).toBe(true)

    const begun = await reelgate.uploads.create({ filename: 'small.mp4', size_bytes: 10 })
    await fetch(String(begun.upload_url), {
      method: 'PUT',
      headers: { 'Content-Range': 'bytes 0-4/10' },
      body: 'wrong',
    })
    const small = await write('small.mp4', randomBytes(10))
    await utimes(small, new Date(), new Date(Date.now() + 60_000))
    expect(lines(await upload('--json', small))[0]?.continued_bytes).toBe(0)
  }, 60_000)

  it('reports the file that fails, goes on with the others, and ends with 1', async () => {
    const theirs = await t.keyFor(t.theirs.id, ['videos:write'])
    await t.db.em
      .fork()
      .execute('update plan set storage_limit_bytes = 100 where account_id = ?', [t.theirs.id])
    const large = await write('large.mp4', randomBytes(101))
    const small = await write('small.mp4', randomBytes(10))
    const run = await upload('--json', '--key', theirs, large, small)
    expect(run.status).toBe(1)
    expect(lines(run).map(({ error }) => error?.code ?? null)).toEqual([
      'insufficient_storage',
      null,
    ])
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: 'uploads_failed' } })
  })

  it('writes a line for each file, and on a terminal a bar that the line replaces', async () => {
    const path = await write('lesson 1.mp4', randomBytes(3 * MIB))
    const plain = await upload(path)
    expect(plain.stdout).toMatch(/^lesson 1\.mp4: video [0-9a-f]{20}$/)
    expect(plain.stderr).toBe('lesson 1.mp4: 3.0 MiB')
    let [out, error] = ['', '']
    const streams = {
      out: (text: string) => void (out += text),
      error: (text: string) => void (error += text),
      terminal: { columns: 60 },
    }
    const output = createOutput(false, streams.out, streams.error, streams.terminal)
    const report = createUploadReport(output, 2)
    const [file] = await collectFiles([path])
    if (!file) throw new Error('no file')
    report.begin(file, 0)
    report.waiting('The connection is lost.')
    report.end(file, { uploadId: 1, continuedBytes: 0, videoId: 'v', error: null })
    expect(error).toBe(
      '1/2 lesson 1.mp4: 3.0 MiB\n\r\u001B[2K1/2 lesson 1.mp4  The connection is lost. Trying again.\r\u001B[2K',
    )
    expect(out).toBe('lesson 1.mp4: video v\n')
    const environment = { ...process.env, REELGATE_API_KEY: key }
    error = ''
    await runCli(['videos', 'upload', '--api', t.base, path], streams, environment)
    for (const line of error.split('\r\u001B[2K')) expect(line.length).toBeLessThanOrEqual(60)
  })

  it.each([
    ['a file that does not exist', ['nothing.mp4'], 1, 'nothing.mp4 cannot be read: ENOENT'],
    ['a folder without videos', ['docs/adr'], 1, 'There is no video in docs/adr.'],
    ['no file', [], 2, 'missing required argument'],
    ['a key without the scope', ['package.json', '--key', 'rg_live_x'], 1, 'refuses'],
  ])('ends with an error for %s', async (_what, args, status, words) => {
    const run = await upload(...args)
    expect(run).toMatchObject({ status, stdout: '' })
    expect(run.stderr).toContain(words)
    expect(run.stderr).not.toContain('rg_live_')
  })
})
