import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Reelgate } from '../../sdk/src/index.ts'
import { openApiFront } from '../../test/fixtures/api-front.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { cliHarness, startCli } from '../../test/fixtures/cli.ts'
import { importRounds } from '../../test/fixtures/imports.ts'
import { until } from '../../test/infrastructure/wait-for.ts'

const t = setUpApiFixture()
let folder: string
let advance: ReturnType<typeof importRounds>['advance']
let advancing: ReturnType<typeof importRounds>['advancing']

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-links-'))
  ;({ advance, advancing } = importRounds(t, [await readFile(t.outside.caFile, 'utf8')]))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const PATIENT_MS = 120_000

async function newAccount() {
  const account = await t.makeAccount()
  const reelgate = new Reelgate({ apiKey: account.key, baseUrl: t.base })
  const environment = { REELGATE_API_KEY: account.key }
  const run = (...args: string[]) =>
    cliHarness(environment)('import', '--api', t.base, ...args, '--json')
  return { ...account, reelgate, environment, run }
}

/** Writes a manifest of links with captions, and returns its path. */
async function writeManifest(name: string, links: readonly string[]): Promise<string> {
  await writeFile(join(folder, 'en.vtt'), 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n')
  const lines = links.map((source_url, index) => ({
    source_url,
    ...(index % 2 === 0 && { external_id: `own-${index}` }),
    title: `Lesson ${index}`,
    folder: 'Autumn',
    captions: [{ path: 'en.vtt', language: 'en', label: 'English' }],
    old_url: `https://old.example/${index}`,
  }))
  const path = join(folder, name)
  await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'))
  return path
}

const videosOf = async (reelgate: Reelgate) => (await reelgate.videos.list({ limit: 100 })).data

describe('an import of links', () => {
  it('has the service make each video once, also when it is killed and run again, and adds what lies beside', async () => {
    const { reelgate, environment, run } = await newAccount()
    const names = Array.from({ length: 4 }, (_, index) => `lesson-${index}.mp4`)
    const links = await Promise.all(names.map((name) => t.serveFile(name, Buffer.alloc(1000))))
    const manifest = await writeManifest('killed.ndjson', links)
    const killed = startCli(environment, 'import', manifest, '--at-once', '4', '--api', t.base)
    await until(async () => (await reelgate.imports.list()).data.length > 0, PATIENT_MS)
    await killed.kill()
    // As if it had been killed when it had noted its import for the first line alone.
    const journal = `${manifest}.journal`
    const noted = (await readFile(journal, 'utf8').catch(() => '')).split('\n').filter(Boolean)
    await writeFile(journal, noted.slice(0, 1).join('\n'))
    const again = await advancing(() => run(manifest, '--at-once', '4'))
    expect(again).toMatchObject({ status: 0, stderr: '' })
    expect((await reelgate.imports.list()).data).toHaveLength(1)
    const videos = await videosOf(reelgate)
    expect(videos).toHaveLength(4)
    for (const video of videos) expect(video).toMatchObject({ caption_count: 1, status: 'queued' })
    expect(await advancing(() => run(manifest))).toMatchObject({ status: 0 })
    expect(await videosOf(reelgate)).toHaveLength(4)
  }, 240_000)

  it('reports a link that is refused, and tries it again in the next run', async () => {
    const { reelgate, run } = await newAccount()
    const broken = `${t.outside.baseUrl}/files/later.mp4`
    const manifest = await writeManifest('broken.ndjson', [t.sourceUrl(), broken])
    const report = join(folder, 'report.ndjson')
    const first = await advancing(() => run(manifest, '--report', report))
    expect(first.status).toBe(1)
    const lines = (await readFile(report, 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { line: 1, state: 'imported', external_id: 'own-0' },
      { line: 2, state: 'failed', reason: { code: 'source_unreachable' } },
    ])
    await t.serveFile('later.mp4', Buffer.alloc(1000))
    expect(await advancing(() => run(manifest))).toMatchObject({ status: 0 })
    expect(await videosOf(reelgate)).toHaveLength(2)
  }, 240_000)

  it('makes a deleted video again, whether its line made it or found it', async () => {
    const { id: accountId, reelgate, run } = await newAccount()
    const other = await t.serveFile('other.mp4', Buffer.alloc(1000))
    const manifest = await writeManifest('deleted.ndjson', [t.sourceUrl(), other])
    const found = await reelgate.videos.create({ source_url: t.sourceUrl() })
    await reelgate.videos.update(found.id, { external_id: 'own-0' })
    expect(await advancing(() => run(manifest))).toMatchObject({ status: 0 })
    await t.db.em
      .fork()
      .execute(`update video set status = 'ready' where account_id = ?`, [accountId])
    await advance()
    const before = await videosOf(reelgate)
    expect(before).toHaveLength(2)
    for (const { id } of before) await reelgate.videos.delete(id)
    expect(await advancing(() => run(manifest))).toMatchObject({ status: 0 })
    const after = await videosOf(reelgate)
    expect(new Set(after.map((video) => video.external_id))).toEqual(
      new Set(before.map((video) => video.external_id)),
    )
    expect(after).toHaveLength(2)
  }, 240_000)

  it('begins a line again whose video has failed after the run had read the videos', async () => {
    const { id: accountId, reelgate, environment, run } = await newAccount()
    const manifest = await writeManifest('late.ndjson', [t.sourceUrl()])
    const killed = startCli(environment, 'import', manifest, '--api', t.base)
    const noted = () => readFile(`${manifest}.journal`, 'utf8').catch(() => '')
    await until(async () => (await noted()).includes('import_id'), PATIENT_MS)
    await killed.kill()
    let hasFailed = false
    const front = await openApiFront(t.base, async ({ path }, pass) => {
      if (!hasFailed && path.includes('/lines')) {
        hasFailed = true
        await advance()
        await t.db.em
          .fork()
          .execute(
            `update video set status = 'failed', error_code = 'source_unreachable', error_message = 'Why.' where account_id = ?`,
            [accountId],
          )
        await advance()
      }
      return pass()
    })
    const again = await advancing(() => run(manifest, '--api', front.base))
    await front.close()
    expect(again).toMatchObject({ status: 0 })
    const videos = await videosOf(reelgate)
    expect(videos.map(({ external_id: own, status }) => [own, status])).toEqual([
      ['own-0', 'queued'],
      [null, 'failed'],
    ])
  }, 240_000)

  it('says in a dry run what it does not know, and sends nothing', async () => {
    const { reelgate, run } = await newAccount()
    const manifest = await writeManifest('dry.ndjson', [t.sourceUrl()])
    const { status, stdout } = await run(manifest, '--dry-run')
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ lines: 1, links: 1 }),
    ])
    expect((await reelgate.imports.list()).data).toEqual([])
  })
})
