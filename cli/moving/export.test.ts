import { createHash, randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AuditEntry } from '../../db/entities/member.ts'
import { posterKey, sourceKey, uploadName } from '../../domain/videos/media-paths.ts'
import type { AccountFixture } from '../../test/fixtures/account.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { cliHarness, startCli } from '../../test/fixtures/cli.ts'
import { ingestVideo } from '../../test/fixtures/ingest-video.ts'
import { writeLibrary } from '../../test/fixtures/library.ts'
import { makeSource } from '../../test/fixtures/sources.ts'
import { until } from '../../test/infrastructure/wait-for.ts'

const t = setUpApiFixture()
/** For the start of a process on a machine that has much to do. */
const PATIENT_MS = 120_000
let folder: string
let environment: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-export-'))
  environment = {
    DATABASE_URL: String(t.db.config.get('clientUrl')),
    MASTER_KEY: t.masterKey,
    STORAGE_DIR: join(t.folder, 'storage'),
    REELGATE_DATA_DIR: join(folder, 'data'),
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const exportOf = (...args: string[]) => cliHarness(environment)('export', ...args, '--json')

async function importInto({ id, key }: AccountFixture, manifest: string): Promise<void> {
  const run = cliHarness({ REELGATE_API_KEY: key })
  const args = ['--keep-original', '--journal', `${manifest}.${id}`, '--api', t.base]
  expect(await run('import', manifest, ...args)).toMatchObject({ status: 0, stderr: '' })
  await t.db.em
    .fork()
    .execute(`update video set status = 'ready', duration_ms = 2000 where account_id = ?`, [id])
}

/** An account with a library whose videos are ready, with their originals. */
async function filledAccount(name: string, count: number) {
  const account = await t.makeAccount()
  const { manifest, videos } = await writeLibrary(join(folder, name), { count })
  await importInto(account, manifest)
  return { account, id: String(account.id), manifest, videos }
}

type Line = Record<string, unknown>

const linesOf = async (path: string): Promise<Line[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .toSorted((one, other) => String(one.created_at).localeCompare(String(other.created_at)))

/** The checksum of each file of an export but its journal, by its path. */
async function checksums(dir: string): Promise<Record<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const sums: Record<string, string> = {}
  for (const entry of entries) {
    if (!entry.isFile() || !entry.parentPath.endsWith('videos')) continue
    const content = await readFile(join(entry.parentPath, entry.name))
    sums[entry.name] = createHash('sha256').update(content).digest('hex')
  }
  return sums
}

describe('an export', () => {
  it('imports again to an equal library: the next export has equal lines and files', async () => {
    const { id, manifest, videos } = await filledAccount('round', 6)
    const first = join(folder, 'first')
    expect(await exportOf(id, first)).toMatchObject({ status: 0, stderr: '' })
    const exported = await linesOf(join(first, 'manifest.ndjson'))
    const imported = await linesOf(manifest)
    expect(exported).toHaveLength(6)
    for (const [index, line] of exported.entries()) {
      const { path: _path, sha256, captions, chapters, ...facts } = line
      const {
        path: _before,
        sha256: _sum,
        captions: given,
        chapters: wanted,
        old_url: _url,
        ...before
      } = imported[index] ?? {}
      expect(facts).toEqual(before)
      expect([sha256, chapters]).toEqual([videos[index]?.sha256, wanted ?? []])
      expect((captions as Line[]).length).toBe(((given as Line[] | undefined) ?? []).length)
    }
    const sums = await checksums(first)
    for (const { path, sha256 } of exported)
      expect(sums[String(path).replace('videos/', '')]).toBe(sha256)

    const other = await t.makeAccount()
    await importInto(other, join(first, 'manifest.ndjson'))
    const second = join(folder, 'second')
    expect((await exportOf(String(other.id), second)).status).toBe(0)
    expect(await linesOf(join(second, 'manifest.ndjson'))).toEqual(exported)
    expect(await checksums(second)).toEqual(sums)
  }, 240_000)

  it('can be read by its user alone, and is in the audit log before its first byte', async () => {
    const { id } = await filledAccount('modes', 1)
    const dir = join(folder, 'modes-out')
    await mkdir(dir, { mode: 0o755 })
    expect((await exportOf(id, dir)).status).toBe(0)
    expect((await stat(dir)).mode & 0o777).toBe(0o700)
    for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name))
      expect([entry.name, mode & 0o777]).toEqual([entry.name, entry.isFile() ? 0o600 : 0o700])
    }
    expect(await t.db.em.fork().find(AuditEntry, { subject: id })).toMatchObject([
      { accountId: Number(id), action: 'account.export_videos', actorKind: 'operator' },
    ])
  })

  it('continues after kill -9, and writes no video twice', async () => {
    const { id, videos } = await filledAccount('killed', 8)
    const dir = join(folder, 'killed-out')
    const running = startCli(environment, 'export', id, dir)
    await until(() => running.records.length > 1, PATIENT_MS)
    await running.kill()
    const files = join(dir, 'videos')
    const name = String(running.records[0]?.file)
    const before = await stat(join(files, name))
    expect((await exportOf(id, dir)).status).toBe(0)
    const after = await stat(join(files, name))
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs])
    const lines = await linesOf(join(dir, 'manifest.ndjson'))
    expect(lines.map(({ sha256 }) => sha256)).toEqual(videos.map(({ sha256 }) => sha256))
    const sums = await checksums(dir)
    for (const { path, sha256 } of lines)
      expect(sums[String(path).replace('videos/', '')]).toBe(sha256)
    expect((await readdir(dir)).toSorted()).toEqual([
      'export.journal',
      'export.json',
      'manifest.ndjson',
      'videos',
    ])
    expect(Object.keys(sums).filter((one) => one.endsWith('.part'))).toEqual([])
  }, 240_000)

  it('has the manifest of one run alone, also when another begins meanwhile with other options', async () => {
    const { id, videos } = await filledAccount('twice', 12)
    const dir = join(folder, 'twice-out')
    const first = startCli(environment, 'export', id, dir)
    await first.freeze()
    const second = startCli(environment, 'export', id, dir, '--old-urls')
    await second.freeze()
    const statuses = [await first.thaw(), await second.thaw()]
    const lines = await linesOf(join(dir, 'manifest.ndjson'))
    expect(lines.map(({ sha256 }) => sha256)).toEqual(videos.map(({ sha256 }) => sha256))
    for (const line of lines) expect(line.old_url).toEqual(expect.any(String))
    expect(statuses).toEqual([1, 0])
    expect(first.output()).toContain('export_incomplete')
  }, 240_000)

  it('begins again in a folder of which a killed run has only begun the mark', async () => {
    const { id } = await filledAccount('mark', 1)
    const dir = join(folder, 'mark-out')
    await mkdir(dir)
    await writeFile(join(dir, 'export.json'), '')
    expect(await exportOf(id, dir)).toMatchObject({ status: 0, stderr: '' })
    expect(await linesOf(join(dir, 'manifest.ndjson'))).toHaveLength(1)
  }, 240_000)

  it('has two videos of the same content as two, and posters that somebody sent', async () => {
    const account = await t.makeAccount()
    const dir = join(folder, 'same')
    await mkdir(dir)
    const content = randomBytes(1_000)
    for (const name of ['a.mp4', 'b.mp4']) await writeFile(join(dir, name), content)
    const lines = ['a.mp4', 'b.mp4'].map((path) => ({ path, title: 'Same', external_id: path }))
    await writeFile(join(dir, 'm.ndjson'), lines.map((line) => JSON.stringify(line)).join('\n'))
    await importInto(account, join(dir, 'm.ndjson'))
    const em = t.db.em.fork()
    await em.execute('update video set external_id = null where account_id = ?', [account.id])
    const [{ id } = { id: '' }] = await em.execute<{ id: string }[]>(
      `update video set has_poster = true, upload_number = 7, poster_name = ?
       where account_id = ? and id = (select max(id) from video where account_id = ?) returning id`,
      [uploadName(7), account.id, account.id],
    )
    await t.storage.putBuffer(posterKey(id, uploadName(7)), Buffer.from('a picture'), 'image/jpeg')
    const out = join(folder, 'same-out')
    expect((await exportOf(String(account.id), out)).status).toBe(0)
    const exported = await linesOf(join(out, 'manifest.ndjson'))
    expect(new Set(exported.map(({ path }) => path)).size).toBe(2)
    const ids = exported.flatMap(({ external_id: one }) => (one === undefined ? [] : [one]))
    expect(ids).toEqual([expect.stringMatching(/^video:[0-9a-f]{20}$/)])
    const posters = exported.flatMap(({ poster }) => (typeof poster === 'string' ? [poster] : []))
    expect(posters).toHaveLength(1)
    expect(await readFile(join(out, posters[0] ?? ''), 'utf8')).toBe('a picture')
  })

  it('writes only a folder or some videos, and the addresses of before if they are wanted', async () => {
    const { id } = await filledAccount('some', 5)
    const count = async (...args: string[]) => {
      const dir = join(folder, `some-${args.length}-${args[0] ?? ''}`)
      const run = await exportOf(id, dir, ...args)
      expect(run.stderr).toBe('')
      return linesOf(join(dir, 'manifest.ndjson'))
    }
    expect(await count('--folder', 'Autumn')).toHaveLength(2)
    const [{ id: video } = { id: '' }] = await t.db.em
      .fork()
      .execute<{ id: string }[]>('select id from video where account_id = ? limit 1', [id])
    const [line] = await count('--video', video, '--old-urls')
    expect(line?.old_url).toContain(`/${video}/`)
    const none = await exportOf(id, join(folder, 'none'), '--folder', 'No such')
    expect(JSON.parse(none.stderr)).toMatchObject({ error: { code: 'folder_not_found' } })
  })

  it('goes on without a video whose original is lost, and ends with 1', async () => {
    const { id } = await filledAccount('lost', 2)
    const em = t.db.em.fork()
    const [{ id: video } = { id: '' }] = await em.execute<{ id: string }[]>(
      'select id from video where account_id = ? limit 1',
      [id],
    )
    await t.storage.deletePrefix(sourceKey(video).replace(/source$/, ''))
    const { status, stdout, stderr } = await exportOf(id, join(folder, 'lost-out'))
    expect(status).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'export_incomplete' } })
    const states = stdout.split('\n').map((text) => (JSON.parse(text) as Line).state)
    expect(new Set(states)).toEqual(new Set(['exported', 'failed', undefined]))
    expect(await linesOf(join(folder, 'lost-out/manifest.ndjson'))).toHaveLength(1)
  })

  it('is refused where the service keeps or serves files, and in a folder with other files', async () => {
    const { id } = await filledAccount('places', 1)
    const codeOf = async (dir: string, account = id) =>
      (JSON.parse((await exportOf(account, dir)).stderr) as { error: { code: string } }).error.code
    expect(await codeOf(join(t.folder, 'storage/export'))).toBe('export_folder_unsafe')
    expect(await codeOf(join(folder, 'data/export'))).toBe('export_folder_unsafe')
    expect(await codeOf('docs/export')).toBe('export_folder_unsafe')
    expect(await codeOf(join(folder, 'places'))).toBe('export_folder_not_empty')
    expect(await codeOf(join(folder, 'x'), '999999')).toBe('account_not_found')
    const dir = join(folder, 'places-out')
    expect((await exportOf(id, dir)).status).toBe(0)
    expect(await codeOf(dir, String(t.ours.id))).toBe('export_folder_not_empty')
  })
})

describe('a folder for an export', () => {
  const codeOf = async (account: string, dir: string) =>
    (JSON.parse((await exportOf(account, dir)).stderr) as { error: { code: string } }).error.code

  it('is refused where others can have put links, which the export would write through', async () => {
    const { id } = await filledAccount('shared', 1)
    const dir = join(folder, 'shared-out')
    const target = join(folder, 'target')
    await writeFile(target, 'mine')
    await mkdir(dir)
    await chmod(dir, 0o777)
    await writeFile(join(dir, 'export.json'), JSON.stringify({ account_id: Number(id) }))
    await symlink(target, join(dir, 'manifest.ndjson.part'))
    expect(await codeOf(id, dir)).toBe('export_folder_unsafe')
    expect(await readFile(target, 'utf8')).toBe('mine')
  })

  it.runIf(process.geteuid?.() === 0)('is refused if it belongs to another user', async () => {
    const { id } = await filledAccount('others', 1)
    const dir = join(folder, 'others-out')
    await mkdir(dir, { mode: 0o700 })
    await chown(dir, 65_534, 65_534)
    expect(await codeOf(id, dir)).toBe('export_folder_unsafe')
  })

  it('is closed to others before anything is in it', async () => {
    const { id } = await filledAccount('empty', 1)
    const dir = join(folder, 'empty-out')
    await mkdir(dir)
    await chmod(dir, 0o777)
    expect((await exportOf(id, dir)).status).toBe(0)
    expect((await stat(dir)).mode & 0o777).toBe(0o700)
  })
})

describe('the export of a video without its original', () => {
  it('is its best rendition with every audio track, decrypted, in one MP4', async () => {
    const account = await t.makeAccount()
    const source = join(folder, 'source.mp4')
    await makeSource(source, {
      seconds: 1,
      size: '640x360',
      rate: 12,
      grain: false,
      languages: ['eng', 'deu'],
    })
    const { db, masterKeys, storage } = t
    const workDir = join(folder, 'work')
    await mkdir(workDir)
    await ingestVideo(source, { db, masterKeys, storage, workDir, accountId: account.id })
    const out = join(folder, 'rendition-out')
    expect(await exportOf(String(account.id), out)).toMatchObject({ status: 0, stderr: '' })
    const [line] = await linesOf(join(out, 'manifest.ndjson'))
    const path = join(out, String(line?.path))
    const content = await readFile(path)
    expect(createHash('sha256').update(content).digest('hex')).toBe(line?.sha256)
    const wanted = ['-show_entries', 'stream=codec_type,height:stream_tags=language', '-of', 'json']
    const { stdout } = await execa('ffprobe', ['-v', 'error', ...wanted, path])
    expect(JSON.parse(stdout)).toMatchObject({
      streams: [
        { codec_type: 'video', height: 360 },
        { codec_type: 'audio', tags: { language: 'eng' } },
        { codec_type: 'audio', tags: { language: 'deu' } },
      ],
    })
    const decoded = await execa('ffmpeg', ['-v', 'error', '-xerror', '-i', path, '-f', 'null', '-'])
    expect(decoded.stderr).toBe('')
    expect((await readdir(out)).filter((name) => name.startsWith('.work'))).toEqual([])
  }, 240_000)
})
