import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Reelgate } from '../../sdk/src/index.ts'
import { openApiFront, type FrontReply } from '../../test/fixtures/api-front.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { cliHarness } from '../../test/fixtures/cli.ts'
import { writeLibrary } from '../../test/fixtures/library.ts'
import { someOf } from '../../test/infrastructure/every-case.ts'

const t = setUpApiFixture()
const ID = 'course/lesson-1'
let folder: string
let manifest: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-late-'))
  // One video in a folder, with a caption and two chapters.
  manifest = (await writeLibrary(folder, { count: 1 })).manifest
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A request of the killed run. */
interface Held {
  method: string
  path: RegExp
  /** Which one of those, 1 for the first. */
  number?: number
}

interface Account {
  key: string
  reelgate: Reelgate
}

/** What the account has before the first run. */
type Prepare = (account: Account) => Promise<unknown>

/** The journal is then what it is after a kill: an error is not noted in it. */
const ENDS_RUN: FrontReply = {
  status: 400,
  headers: new Headers({ 'content-type': 'application/json', 'request-id': 'req_held' }),
  text: '{"error":{"type":"invalid_request_error","code":"invalid_request","message":"Held."}}',
}

/**
 * Imports twice: the first run ends at the request `held`, which only reaches the service before the request number `at` of the second run, or
 * after its end. Resolves to whether that was so.
 */
async function importTwice(
  prepare: Prepare,
  held: Held,
  state: string,
  at: number,
): Promise<boolean> {
  const { key } = await t.makeAccount()
  const reelgate = new Reelgate({ apiKey: key, baseUrl: t.base })
  await rm(`${manifest}.journal`, { force: true })
  await prepare({ key, reelgate })
  let late = (): Promise<unknown> => Promise.reject(new Error('no request was held'))
  const counts = { run: 1, like: 0, request: 0 }
  const front = await openApiFront(t.base, async ({ method, path }, pass) => {
    if (counts.run === 1) {
      const isLike = method === held.method && held.path.test(path)
      if (!isLike || (counts.like += 1) !== (held.number ?? 1)) return pass()
      late = pass
      return ENDS_RUN
    }
    counts.request += 1
    if (counts.request === at) await late()
    return pass()
  })
  const run = () =>
    cliHarness({ REELGATE_API_KEY: key })('import', manifest, '--api', front.base, '--json')
  try {
    expect((await run()).stdout).toContain('"message":"Held."')
    counts.run = 2
    const { status, stdout, stderr } = await run()
    expect([at, status, stderr]).toEqual([at, 0, ''])
    expect([at, JSON.parse(stdout.split('\n')[0] ?? '')]).toMatchObject([at, { state }])
    const isAfter = counts.request < at
    if (isAfter) await late()
    await expectWhole(reelgate)
    return isAfter
  } finally {
    await front.close()
  }
}

/** Checks that the account has the video once, with what its line names and nothing else. */
async function expectWhole(reelgate: Reelgate): Promise<void> {
  const { data } = await reelgate.videos.list()
  expect(data.map(({ external_id: id }) => id)).toEqual([ID])
  const id = data[0]?.id ?? ''
  const captions = (await reelgate.captions.list(id)).data
  expect(captions.map(({ language_code: language }) => language)).toEqual(['en'])
  const chapters = (await reelgate.chapters.list(id)).data
  expect(chapters.map(({ title, start }) => [title, start])).toEqual([
    ['Opening', 0],
    ['End', 1],
  ])
  const uploads = (await reelgate.uploads.list()).data
  expect(uploads.filter(({ upload_url: url }) => url !== null)).toEqual([])
}

/** A video that was there before. */
async function makePresent({ reelgate }: Account): Promise<void> {
  const { id } = await reelgate.videos.create({ source_url: t.sourceUrl() })
  await reelgate.videos.update(id, { external_id: ID })
}

/** A video of an import that is ready, to which its file has brought a caption and a chapter. */
async function makeReady({ key, reelgate }: Account): Promise<void> {
  await cliHarness({ REELGATE_API_KEY: key })('import', manifest, '--api', t.base)
  const id = (await reelgate.videos.list()).data[0]?.id ?? ''
  const content = 'WEBVTT\n'
  await reelgate.captions.create(id, { language_code: 'fr', label: 'Français', content })
  const [opening] = (await reelgate.chapters.list(id)).data
  await reelgate.chapters.update(id, opening?.id ?? 0, { title: 'Of the file' })
  await t.db.em.fork().execute(`update video set status = 'ready' where id = ?`, [id])
}

const makeNothing = (): Promise<void> => Promise.resolve()

const CHAPTER = { method: 'POST', path: /\/chapters$/ }
const LAST_CHAPTER = { ...CHAPTER, number: 2 }

const CASES: [does: string, held: Held, prepare: Prepare, state: string][] = [
  ['sends the file', { method: 'PUT', path: /\/uploads\// }, makeNothing, 'imported'],
  ['begins an upload', { method: 'POST', path: /\/v1\/uploads$/ }, makeNothing, 'imported'],
  ['makes a folder', { method: 'POST', path: /\/folders$/ }, makeNothing, 'imported'],
  ['adds a caption', { method: 'POST', path: /\/captions$/ }, makeNothing, 'imported'],
  ['adds a chapter to a video that was there', CHAPTER, makePresent, 'present'],
  ['adds the last chapter to such a video', LAST_CHAPTER, makePresent, 'present'],
  ['adds a chapter', CHAPTER, makeNothing, 'imported'],
  ['adds the last chapter', LAST_CHAPTER, makeNothing, 'imported'],
  ['replaces a chapter', CHAPTER, makeReady, 'imported'],
  ['deletes a chapter', { method: 'DELETE', path: /\/chapters\/\d+$/ }, makeReady, 'imported'],
  ['deletes a caption', { method: 'DELETE', path: /\/captions\/fr$/ }, makeReady, 'imported'],
]

describe('a request of a killed import that runs while the next one does', () => {
  it.each(someOf(CASES, 4))(
    'and %s leaves one video with all that its line names',
    async (_does, held, prepare, state) => {
      let at = 1
      while (!(await importTwice(prepare, held, state, at))) at += 1
    },
    240_000,
  )
})
