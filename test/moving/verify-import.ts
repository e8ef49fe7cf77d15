import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRandom } from '../chaos/random.ts'
import { createAccountFixture, type AccountFixture } from '../fixtures/account.ts'
import { startCli } from '../fixtures/cli.ts'
import { writeLibrary, type LibraryVideo } from '../fixtures/library.ts'
import { startService, type RunningService } from '../fixtures/running-service.ts'
import { openServiceRecord } from '../fixtures/service-record.ts'
import { makeSource } from '../fixtures/sources.ts'
import { until } from '../infrastructure/wait-for.ts'

export interface VerifyOptions {
  count: number
  kills: number
  seed: number
  /** Called with each property that held. */
  held: (check: string) => void
}

type Line = Record<string, unknown>

const parsed = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

/**
 * An import of videos of one second by a real service, with kills; then an export, and both again into another account. Throws at the first
 * property that does not hold.
 */
export async function verifyImport(folder: string, options: VerifyOptions): Promise<void> {
  const { count, kills, held } = options
  const library = await writeVideos(folder, count)
  const service = await startService(join(folder, 'data'))
  try {
    const record = await openServiceRecord(service)
    const [one, other] = [
      await createAccountFixture(record.db, record.masterKeys),
      await createAccountFixture(record.db, record.masterKeys),
    ]
    await record.close()
    const first = { service, account: one, manifest: library.manifest }
    await importWithKills(first, options)
    held(`the import was killed ${kills} times`)
    await importWhole(first, library.videos)
    held(`each of ${count} lines is one video, with its checksum`)
    const before = await exportAll(service, one, join(folder, 'export-1'), kills > 0)
    assert.deepEqual(checksumsOf(before.lines), checksumsOf(library.videos))
    held('the export has the files that were imported')
    const manifest = join(folder, 'export-1', 'manifest.ndjson')
    await importWhole({ service, account: other, manifest }, library.videos)
    const after = await exportAll(service, other, join(folder, 'export-2'), false)
    assert.deepEqual(after, before)
    held('what is exported imports again to an equal library')
  } finally {
    await service.stop()
  }
}

/** The checksums of lines or videos, in their own order. */
const checksumsOf = (all: readonly { sha256?: unknown }[]): string[] =>
  all.map(({ sha256 }) => String(sha256)).toSorted((one, other) => one.localeCompare(other))

/** Writes a library of one video whose files differ behind it, in a box that players skip. */
async function writeVideos(folder: string, count: number) {
  const source = join(folder, 'source.mp4')
  await makeSource(source, { seconds: 1, size: '160x90', rate: 6, grain: false })
  const video = await readFile(source)
  return writeLibrary(join(folder, 'library'), {
    count,
    async makeFile(path, index) {
      const box = Buffer.alloc(16)
      box.writeUInt32BE(box.length)
      box.write('free', 4, 'latin1')
      box.writeUInt32BE(index, 8)
      const content = Buffer.concat([video, box])
      await writeFile(path, content)
      return content
    },
  })
}

interface ImportParts {
  service: RunningService
  account: AccountFixture
  manifest: string
}

const argumentsOf = ({ service: { api }, manifest }: ImportParts): string[] =>
  `import ${manifest} --api ${api} --keep-original`.split(' ')

/** A video has at least so many records in the journal: its checksum, its upload, itself and two steps. */
const RECORDS_OF_A_VIDEO = 5

async function importWithKills(
  parts: ImportParts,
  { count, kills, seed }: VerifyOptions,
): Promise<void> {
  const random = createRandom(seed)
  const journal = `${parts.manifest}.journal`
  const records = async () =>
    (await readFile(journal, 'utf8').catch(() => '')).split('\n').filter(Boolean).length
  for (let kill = 0; kill < kills; kill += 1) {
    const wanted = ((kill + random.next()) / (kills + 1)) * count * RECORDS_OF_A_VIDEO
    const running = startCli({ REELGATE_API_KEY: parts.account.key }, ...argumentsOf(parts))
    await until(async () => (await records()) >= wanted, 600_000)
    await running.kill()
  }
}

/** Imports what is left, and waits until every video is ready. */
async function importWhole(parts: ImportParts, videos: readonly LibraryVideo[]): Promise<void> {
  const report = `${parts.manifest}.report`
  const args = [...argumentsOf(parts), '--wait', '--report', report]
  const running = startCli({ REELGATE_API_KEY: parts.account.key }, ...args)
  await until(() => running.records.at(-1)?.object === 'import', 6 * 3_600_000)
  const lines = parsed(await readFile(report, 'utf8'))
  const states = new Set(lines.map(({ state }) => state))
  assert.deepEqual([...states], ['imported'], running.output().slice(-2_000))
  assert.deepEqual(checksumsOf(lines), checksumsOf(videos))
  const ids = new Set(lines.map(({ video_id: id }) => id))
  const listed = (await parts.service.cli(
    'videos',
    'list',
    '--account',
    String(parts.account.id),
    '--limit',
    '1000',
  )) as Line[]
  assert.deepEqual(new Set(listed.map(({ id }) => id)), ids)
}

/** Exports an account, once killed in between; resolves to its lines and the checksum of each file. */
async function exportAll(
  { data_dir: dataDir }: RunningService,
  { id }: AccountFixture,
  dir: string,
  isKilled: boolean,
) {
  const args = ['export', String(id), dir, '--data-dir', dataDir]
  if (isKilled) {
    const running = startCli({}, ...args)
    await until(() => running.records.length > 1)
    await running.kill()
  }
  const running = startCli({}, ...args)
  await until(() => running.records.at(-1)?.object === 'export', 3_600_000)
  assert.equal(running.records.at(-1)?.exported, running.records.length - 1, running.output())
  const lines = parsed(await readFile(join(dir, 'manifest.ndjson'), 'utf8')).toSorted((a, b) =>
    String(a.sha256).localeCompare(String(b.sha256)),
  )
  const sums: Record<string, string> = {}
  for (const name of (await readdir(join(dir, 'videos'))).toSorted())
    sums[name] = createHash('sha256')
      .update(await readFile(join(dir, 'videos', name)))
      .digest('hex')
  return { lines, sums }
}
