import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { pino } from 'pino'
import { loadWeb } from '../../dashboard/server/web-files.ts'
import { listChapters, listMoments, putCaption, replaceChapters } from '../../db/annotations.ts'
import { posterKey } from '../../domain/media-paths.ts'
import { createPlayerApp } from '../../player/server/app.ts'
import { createStorage } from '../../storage/object-storage.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import { cookieName, openDashboardFixture } from '../fixtures/dashboard.ts'
import type { DashboardFixture } from '../fixtures/dashboard.ts'
import { ingestVideo } from '../fixtures/ingest-video.ts'
import { makeSource } from '../fixtures/sources.ts'
import { insertVideoFixture } from '../fixtures/video-rows.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { checkViews, LOOKS, PLAIN } from './dashboard-looks.ts'
import { openWatchedBrowser } from './watched-browser.ts'
import type { WatchedBrowser } from './watched-browser.ts'

const SECONDS = 20

let fixture: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let player: Server
let storage: ObjectStorage
let folder: string
let cookie: { name: string; value: string }
/** A video that was really ingested. */
let video: string

beforeAll(async () => {
  player = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => player.once('listening', resolve))
  const embedBase = `http://127.0.0.1:${(player.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'reelgate-dashboard-video-'))
  storage = createStorage({ driver: 'folder', dir: join(folder, 'objects') })
  const webRouter = await loadWeb()
  browser = await openWatchedBrowser()
  fixture = await openDashboardFixture(() => ({ webRouter, embedBase }))
  const { db, masterKeys, accountId } = fixture
  player.on(
    'request',
    await createPlayerApp({
      db,
      masterKeys,
      storage,
      embedBase,
      mediaBase: embedBase,
      serviceDomains: [],
      dashboardBase: fixture.dashboardBase,
      directPlayBase: null,
      appStoreUrl: null,
      countServed: () => {},
      trustedProxies: 0,
      logger: pino({ level: 'silent' }),
    }),
  )
  const source = join(folder, 'source.mp4')
  await makeSource(source, { seconds: SECONDS, size: '640x360', rate: 12, grain: false })
  const target = { db, masterKeys, storage, accountId, workDir: join(folder, 'work') }
  video = await ingestVideo(source, { ...target, title: 'Opening night' })
  await annotate()
  cookie = await cookieOf('owner')
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await fixture?.close()
  player?.closeAllConnections()
  player?.close()
  await rm(folder, { recursive: true, force: true })
})

async function annotate(): Promise<void> {
  const content = 'WEBVTT\n\n00:00.000 --> 00:02.000\nGood evening.\n'
  const caption = { languageCode: 'en', label: 'English', sizeBytes: content.length }
  await putCaption(fixture.em(), { ...caption, videoId: video, content })
  const chapter = { id: null, startSeconds: 0, endSeconds: 8 }
  await replaceChapters(
    fixture.em(),
    video,
    [],
    [
      { ...chapter, title: 'The beginning' },
      { ...chapter, title: 'The speech', startSeconds: 8, endSeconds: 15 },
    ],
  )
  await fixture.execute(
    "insert into moment (video_id, label, timestamp_seconds) values (?, 'Applause', 14)",
    [video],
  )
}

const cookieOf = async (person: 'owner' | 'reader') => ({
  name: cookieName(fixture.dashboardBase),
  value: await fixture.startSession(fixture.members[person].id),
})

const open = (path: string, as = cookie): Promise<Page> =>
  browser.open(
    `${fixture.dashboardBase}/accounts/${fixture.accountId}/videos/${video}${path}`,
    PLAIN,
    as,
  )

async function close(page: Page): Promise<void> {
  expect(await browser.complaints(page)).toEqual([])
  await page.context().close()
}

const TABS = ['', '/captions', '/chapters', '/moments', '/poster', '/renditions', '/embed']

const VIEWS = [
  { name: 'overview', path: '', shown: 'dl' },
  { name: 'edited', path: '?edit=1', shown: 'form' },
  { name: 'captions', path: '/captions?open=en', shown: 'textarea' },
  { name: 'chapters', path: '/chapters', shown: 'input[type=range]' },
  { name: 'moments', path: '/moments', shown: 'input[type=range]' },
  { name: 'poster', path: '/poster', shown: 'button[aria-pressed]' },
  { name: 'renditions', path: '/renditions', shown: 'tbody tr' },
  { name: 'embed', path: '/embed?language=python', shown: 'pre' },
]

describe('the pages of a video', () => {
  it.each(LOOKS)(
    'fit, break no rule of axe and obey the policy ($locale, $colorScheme, $width px)',
    async (look) => {
      const base = `${fixture.dashboardBase}/accounts/${fixture.accountId}/videos/${video}`
      await checkViews(VIEWS, { browser, base, cookie, look })
    },
    120_000,
  )

  it('show a reader everything and offer no change', async () => {
    const page = await open('', await cookieOf('reader'))
    for (const tab of TABS) {
      await page.goto(`${page.url().split(video)[0]}${video}${tab}`)
      await page.getByRole('navigation', { name: 'Sections of this video' }).waitFor()
      await page.locator('main :is(section, ul, table)').first().waitFor()
      const changes = page.getByRole('button', {
        name: /^(Edit|Delete|Replace|Save|Add |Choose a file)/,
      })
      expect([tab, await changes.count()]).toEqual([tab, 0])
      expect([tab, await page.getByRole('slider').count()]).toEqual([tab, 0])
    }
    await page.goto(`${page.url().split(video)[0]}${video}?edit=1`)
    await page.locator('dl').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    await close(page)
  }, 60_000)

  it('say what will be there while a video is new, and that an older one has no frames', async () => {
    const { db, accountId } = fixture
    const id = await insertVideoFixture(db, { accountId })
    const page = await open('')
    const go = (tab: string) => page.goto(page.url().replace(/\/videos\/.*/, `/videos/${id}${tab}`))
    for (const [tab, text] of [
      ['/captions', 'This video has no captions yet.'],
      ['/chapters', 'No chapters yet.'],
      ['/moments', 'No moments yet.'],
      ['/poster', 'The poster is made when all renditions are ready.'],
      ['/renditions', 'The renditions appear here'],
    ] as const) {
      await go(tab)
      await page.getByText(text).waitFor()
      expect([tab, await browser.axe(page)]).toEqual([tab, []])
    }
    await fixture.execute("update video set status = 'ready', has_poster = true where id = ?", [id])
    await go('/poster')
    await page.getByText('No frames were kept for this video').waitFor()
    // Its poster is no object of the storage.
    await page.context().close()
  }, 60_000)
})

describe('title and description', () => {
  it('are edited in place; what was typed stays when the server refuses it or the form is left', async () => {
    const page = await open('')
    await page.getByRole('button', { name: 'Edit' }).click()
    const title = page.getByLabel('Title', { exact: true })
    await title.fill('x'.repeat(256))
    await page.getByRole('button', { name: 'Save' }).click()
    await untilInvalid(title)
    await page.getByRole('link', { name: 'Captions' }).click()
    await page.getByRole('button', { name: 'Stay here' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await title.inputValue()).length).toBe(256)
    await title.fill('Closing night')
    await page.getByRole('textbox', { name: 'Description' }).fill('A night\nto remember')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Closing night' }).waitFor()
    await page.getByText('to remember').waitFor()
    expect(new URL(page.url()).search).toBe('')
    // The browser logs each refusal of the server.
    await page.context().close()
  }, 60_000)

  it('keep what another member has changed while the form was open', async () => {
    const page = await open('')
    await page.clock.install()
    await page.reload()
    await page.getByRole('button', { name: 'Edit' }).click()
    const path = `/v1/videos/${video}`
    const body = { description: 'Of another member' }
    await fixture.call('editor', 'PATCH', path, { body })
    // What is older than seconds is read again when the tab is seen again.
    await page.clock.runFor(10_000)
    await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith(path) && answer.ok()),
      page.evaluate(() => dispatchEvent(new Event('visibilitychange'))),
    ])
    await page.getByLabel('Title', { exact: true }).fill('Last night')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Last night' }).waitFor()
    const { json } = await fixture.call('reader', 'GET', path)
    expect(json).toMatchObject({ title: 'Last night', description: 'Of another member' })
    await page.context().close()
  }, 60_000)
})

describe('two editors', () => {
  it('see both values of a field that both have changed, and of a chapter, and choose', async () => {
    const page = await open('?edit=1')
    const title = page.getByLabel('Title', { exact: true })
    await title.fill('Mine')
    const path = `/v1/videos/${video}`
    await fixture.call('editor', 'PATCH', path, { body: { title: 'Theirs', description: 'New' } })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    const alert = page.getByRole('alert')
    await alert.getByText('Their other changes are in the form now: Description.').waitFor()
    expect(await save.isDisabled()).toBe(true)
    expect(await alert.getByRole('radio', { name: 'Theirs Theirs' }).count()).toBe(1)
    expect(await browser.axe(page)).toEqual([])
    await alert.getByRole('radio', { name: 'Mine Mine' }).check()
    await save.click()
    await page.getByRole('heading', { name: 'Mine' }).waitFor()
    const { json } = await fixture.call('reader', 'GET', path)
    expect(json).toMatchObject({ title: 'Mine', description: 'New' })
    await page.getByRole('link', { name: 'Chapters' }).click()
    const chapter = page.getByLabel('Title', { exact: true }).first()
    await chapter.fill('My beginning')
    await fixture.execute(
      "update chapter set title = 'Their beginning' where video_id = ? and start_seconds = 0",
      [video],
    )
    await save.click()
    await alert.getByRole('radio', { name: 'Mine My beginning 0:00 – 0:08' }).waitFor()
    expect(await browser.axe(page)).toEqual([])
    await alert.getByRole('radio', { name: 'Theirs Their beginning 0:00 – 0:08' }).check()
    expect(await chapter.inputValue()).toBe('Their beginning')
    await fixture.execute(
      "update chapter set title = 'The beginning' where video_id = ? and start_seconds = 0",
      [video],
    )
    // The browser logs each refusal of the server.
    await page.context().close()
  }, 60_000)
})

const untilInvalid = (field: Locator): Promise<unknown> =>
  waitFor('the refusal', async () => (await field.getAttribute('aria-invalid')) === 'true')

const untilText = (field: Locator, text: string): Promise<unknown> =>
  waitFor(text, async () => (await field.inputValue()).includes(text))

describe('captions', () => {
  const upload = (page: Page, name: string, text: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/vtt', buffer: Buffer.from(text) })

  it('show the line of an error, are added, replaced and deleted', async () => {
    const page = await open('/captions')
    await upload(
      page,
      'lesson.de.vtt',
      'WEBVTT\n\n00:00.000 --> 00:02.000\nEins\n\n00:03 --> x\nZwei',
    )
    expect(await page.getByLabel('Language').inputValue()).toBe('de')
    expect(await page.getByLabel('Name', { exact: false }).inputValue()).toBe('Deutsch')
    const add = page.getByRole('button', { name: 'Add captions' })
    await add.click()
    await page.getByRole('alert').getByText('line 6').waitFor()
    expect(await page.locator('[data-at=true]').textContent()).toContain('00:03 --> x')
    expect(await browser.axe(page)).toEqual([])
    await upload(page, 'lesson.de.vtt', 'WEBVTT\n\n00:00.000 --> 00:02.000\nEins <b>eins</b>\n')
    await add.click()
    const item = page.getByRole('listitem').filter({ hasText: 'Deutsch' })
    await item.getByRole('button', { name: 'Show text' }).click()
    const text = item.getByRole('textbox')
    await untilText(text, 'Eins <b>eins</b>')
    await item.getByRole('button', { name: 'Replace' }).click()
    await fixture.execute("update caption set updated_at = now() where language_code = 'de'")
    await upload(page, 'second.vtt', 'WEBVTT\n\n00:00.000 --> 00:02.000\nZwei\n')
    const replace = page.locator('form').getByRole('button', { name: 'Replace' })
    await replace.click()
    await page.getByRole('radio', { name: 'Mine Deutsch · second.vtt' }).check()
    expect(await browser.axe(page)).toEqual([])
    await replace.click()
    await page.getByRole('heading', { name: 'Add captions' }).waitFor()
    await untilText(text, 'Zwei')
    await item.getByRole('button', { name: 'Delete' }).click()
    await page.getByLabel('Type de to confirm').fill('de')
    await page.getByRole('button', { name: 'Delete captions' }).click()
    await item.waitFor({ state: 'detached' })
    // The browser logs each refusal of the server.
    await page.context().close()
  }, 60_000)
})

describe('chapters and moments', () => {
  it('follow the player, move with the keyboard and are saved together', async () => {
    const page = await open('/chapters')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('button', { name: 'Play from The speech' }).click({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Add at 0:08' }).waitFor()
    const boundary = page.getByRole('slider', { name: 'Start of The speech' })
    await boundary.press('ArrowLeft')
    await boundary.press('ArrowLeft')
    expect(await boundary.getAttribute('aria-valuetext')).toBe('0:06')
    await page.getByRole('button', { name: 'Add at 0:08' }).click()
    const titles = page.getByLabel('Title', { exact: true })
    await titles.last().fill('The answer')
    await page.getByText('Unsaved changes: 3').waitFor()
    expect(await browser.axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
    const saved = await listChapters(fixture.em(), video)
    expect(saved.map((one) => [one.title, one.startSeconds, one.endSeconds])).toEqual([
      ['The beginning', 0, 6],
      ['The speech', 6, 8],
      ['The answer', 8, 15],
    ])
    await close(page)
  }, 90_000)

  it('show a refusal at the field of their row', async () => {
    const page = await open('/chapters')
    const ends = page.getByLabel('End', { exact: true })
    await ends.last().fill('1:00')
    await ends.last().press('Enter')
    await page.getByRole('button', { name: 'Save' }).click()
    await untilInvalid(ends.last())
    expect(await ends.first().getAttribute('aria-invalid')).not.toBe('true')
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await ends.last().inputValue()).toBe('0:15')
    await page.context().close()
  }, 60_000)

  it('keep moments in their seconds, and can be dragged', async () => {
    const page = await open('/moments')
    const pin = page.getByRole('slider', { name: 'Applause' })
    const box = await pin.boundingBox()
    const track = await page.getByRole('group', { name: 'Timeline: Moments' }).boundingBox()
    if (!box || !track) throw new Error('no timeline')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(track.x + track.width / 2, box.y, { steps: 4 })
    await page.mouse.up()
    expect(await pin.inputValue()).toBe(String(SECONDS / 2))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
    const saved = await listMoments(fixture.em(), video)
    expect(saved.map((one) => one.timestampSeconds)).toEqual([SECONDS / 2])
    await close(page)
  }, 60_000)
})

describe('the poster', () => {
  it('is chosen among the frames of the ingest, and its address changes', async () => {
    const page = await open('/poster')
    const frames = page.getByRole('button', { name: /^Frame/ })
    await waitFor('six frames', async () => (await frames.count()) === 6)
    await waitFor('their pictures', () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLImageElement>('button img')].every(
          (image) => image.naturalWidth === 640,
        ),
      ),
    )
    await page.getByRole('button', { name: 'Frame 3' }).click()
    await page.locator('img[src$="?v=1"]').waitFor()
    expect(await frames.nth(2).getAttribute('aria-pressed')).toBe('true')
    const address = await page.locator('img[src$="?v=1"]').getAttribute('src')
    const shown = Buffer.from(await (await fetch(address ?? '')).arrayBuffer())
    const kept = await storage.read(posterKey(video, 'frame-3'), 1024 ** 2)
    expect(kept?.body && shown.equals(kept.body)).toBe(true)
    await close(page)
  }, 60_000)
})
