import { cp, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { pino } from 'pino'
import type { Frame, Locator, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { editSettings } from '../../commands/settings/edit-settings.ts'
import { putProgress } from '../../db/ingest/write-ingest-progress.ts'
import { listChapters, listMoments } from '../../db/videos/annotations.ts'
import { putCaption, replaceChapters } from '../../db/videos/write-annotations.ts'
import { POSTER_UPLOAD_MAX_BYTES } from '../../domain/limits.ts'
import { utcDay } from '../../domain/timestamps.ts'
import { posterKey } from '../../domain/videos/media-paths.ts'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import { createPlayerApp } from '../../player/server/app.ts'
import { openHeartbeats } from '../../player/server/heartbeats.ts'
import { createStorage, type ObjectStorage } from '../../storage/object-storage.ts'
import { insertAudience } from '../fixtures/audience-rows.ts'
import { cookieName, openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { setUploadedPoster, type IngestTarget } from '../fixtures/ingest-video.ts'
import { makePng } from '../fixtures/pictures.ts'
import { loadPlayerAssets } from '../fixtures/player-assets.ts'
import { insertVideoFixture } from '../fixtures/video-rows.ts'
import { playerDataOf } from '../fixtures/viewer.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { itOfAll, someOf } from '../infrastructure/every-case.ts'
import { copyPreparedVideos } from '../infrastructure/services.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { checkViews, goWithin, PLAIN, VIEWS_WITHIN_MS, type View } from './dashboard-looks.ts'
import { PREPARED_WITHIN_MS } from './embedded-player.ts'
import { hastenTimers } from './hasten-timers.ts'
import { markPixels } from './mark-pixels.ts'
import { openWatchedBrowser, type WatchedBrowser } from './watched-browser.ts'

const SECONDS = 60

let fixture: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let player: Server
let storage: ObjectStorage
let folder: string
let cookie: { name: string; value: string }
let target: IngestTarget
/** A prepared video. */
let video: string

beforeAll(async () => {
  player = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => player.once('listening', resolve))
  const embedBase = `http://127.0.0.1:${(player.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'reelgate-dashboard-video-'))
  storage = createStorage({ driver: 'folder', dir: join(folder, 'objects') })
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  const directPlayBase = 'https://watch.example'
  const prepared = await copyPreparedVideos()
  // The tests of posters add objects.
  await cp(prepared.objects, join(folder, 'objects'), { recursive: true })
  fixture = await openDashboardFixture(() => ({ webRouter, embedBase, directPlayBase }), prepared)
  const { db, masterKeys, accountId } = fixture
  player.on(
    'request',
    createPlayerApp({
      db,
      masterKeys,
      storage,
      preparedAssets: await loadPlayerAssets(),
      embedBase,
      mediaBase: embedBase,
      serviceDomains: [],
      dashboardBase: fixture.dashboardBase,
      directPlayBase: null,
      appStoreUrl: null,
      licences: null,
      heartbeats: openHeartbeats(db),
      countServed: () => {},
      trustedProxies: 0,
      // What it logs says why a page complains of a response with 500.
      logger: pino({ level: 'error' }),
    }),
  )
  target = { db, masterKeys, storage, accountId, workDir: join(folder, 'work') }
  video = prepared.wideId
  await fixture.execute("update video set title = 'Opening night' where id = ?", [video])
  await annotate()
  cookie = await cookieOf('owner')
}, PREPARED_WITHIN_MS)

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
  await browser.leave(page)
}

const TABS = ['', '/captions', '/chapters', '/moments', '/poster', '/embed', '/renditions']

/** A photo as a phone takes it. */
const PHOTO = { name: 'stage.png', mimeType: 'image/png', buffer: makePng({ height: 640 }) }

async function choosePicture(page: Page): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(PHOTO)
  await page.locator('main img[src^="data:"]').waitFor()
}

const VIEWS: View[] = [
  { name: 'overview', path: '', shown: 'dl' },
  { name: 'edited', path: '?edit=1', shown: 'form' },
  { name: 'captions', path: '/captions?open=en', shown: 'textarea' },
  { name: 'chapters', path: '/chapters', shown: 'input[type=range]' },
  { name: 'moments', path: '/moments', shown: 'input[type=range]' },
  { name: 'poster', path: '/poster', shown: 'button[aria-pressed]' },
  { name: 'poster to upload', path: '/poster', shown: 'button[aria-pressed]', open: choosePicture },
  { name: 'renditions', path: '/renditions', shown: 'tbody tr' },
  { name: 'embed', path: '/embed?language=python', shown: 'pre' },
]

describe('the pages of a video', () => {
  itOfAll(
    'fit, break no rule of axe and obey the policy',
    async () => {
      const base = `${fixture.dashboardBase}/accounts/${fixture.accountId}/videos/${video}`
      await checkViews(VIEWS, { browser, base, cookie })
    },
    VIEWS_WITHIN_MS,
  )

  it('show a reader everything and offer no change', async () => {
    const page = await open('', await cookieOf('reader'))
    for (const tab of someOf(TABS, 3)) {
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

  itOfAll(
    'say what will be there while a video is new, and that an older one has no frames',
    async () => {
      const { db, accountId } = fixture
      const id = await insertVideoFixture(db, { accountId })
      const page = await open('')
      const addressOf = (tab: string) => page.url().replace(/\/videos\/.*/, `/videos/${id}${tab}`)
      for (const [tab, text] of [
        ['/captions', 'This video has no captions yet.'],
        ['/chapters', 'No chapters yet.'],
        ['/moments', 'No moments yet.'],
        ['/poster', 'The poster is made when all renditions are ready.'],
        ['/renditions', 'The renditions appear here'],
      ] as const) {
        await goWithin(page, addressOf(tab))
        await page.getByText(text).waitFor()
        expect([tab, await browser.axe(page)]).toEqual([tab, []])
      }
      await fixture.execute("update video set status = 'ready', has_poster = true where id = ?", [
        id,
      ])
      await page.goto(addressOf('/poster'))
      await page.getByText('No frames were kept for this video').waitFor()
      // Its poster is no object of the storage.
      await browser.leave(page)
    },
    60_000,
  )
})

/** Notes what has moved without a click or a key. */
const NOTE_SHIFTS = `
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        shifts.push(...sources.map(({ node }) => String(node?.outerHTML ?? node?.textContent).slice(0, 200)))
  }).observe({ type: 'layout-shift', buffered: true })`

describe('the page of a video', () => {
  /** Opens another video than the one that was ingested. */
  async function openOther(status: VideoStatus, title = 'A lesson'): Promise<[Page, string]> {
    const id = await insertVideoFixture(fixture.db, { accountId: fixture.accountId, title, status })
    const page = await open('')
    await goWithin(page, page.url().replace(video, id))
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    return [page, id]
  }

  it('copies its link and its embed code in a chosen form, in one click and without leaving it', async () => {
    const page = await open('')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copies = async (name: string): Promise<string> => {
      await page.evaluate(() => navigator.clipboard.writeText(''))
      await page.getByRole('button', { name, exact: true }).click()
      return waitFor(name, () => page.evaluate(() => navigator.clipboard.readText()))
    }
    const { json } = await fixture.call('reader', 'GET', `/v1/videos/${video}`)
    const embed = String(json.embed_url)
    expect(await copies('Copy embed code')).toContain(`<iframe src="${embed}"`)
    await page.getByLabel('Form of the embed code').selectOption('React')
    const component = await copies('Copy embed code')
    expect(component).toContain('@reelgate/sdk/react')
    expect(component).toContain(embed)
    expect(await copies('Copy embed address')).toBe(embed)
    const setDirectPlay = (isOn: boolean) =>
      editSettings(fixture.em(), fixture.accountId, (settings) => ({
        ...settings,
        direct_play: isOn,
      }))
    await setDirectPlay(true)
    await page.reload()
    expect(await copies('Copy link')).toBe(`https://watch.example${new URL(embed).pathname}`)
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`/videos/${video}$`))
    await setDirectPlay(false)
    await close(page)
  }, 60_000)

  it('says in plain words why a video failed, and leads to what to do', async () => {
    const setOperator = (isOperator: boolean) =>
      fixture.execute('update member set is_operator = ? where id = ?', [
        isOperator,
        fixture.members.owner.id,
      ])
    await setOperator(true)
    const [page, id] = await openOther('failed')
    await fixture.execute(
      "update video set error_code = 'no_video_stream', error_message = 'It has no video.' where id = ?",
      [id],
    )
    await page.reload()
    const alert = page.getByRole('alert')
    await alert.getByText('The file has no picture').waitFor()
    expect(await alert.textContent()).toContain('no_video_stream')
    await alert.getByRole('button', { name: 'Retry as new' }).waitFor()
    expect(await browser.axe(page)).toEqual([])
    await setOperator(false)
    await alert.getByRole('link', { name: 'Add it again' }).click()
    await page.getByRole('dialog', { name: 'Add a video' }).waitFor()
    await close(page)
  }, 60_000)

  it('shows how far each chunk is while it is encoded, and plays its beginning', async () => {
    const [page, id] = await openOther('processing')
    await page.evaluate(hastenTimers)
    const names = ['240p', '720p']
    for (const index of [0, 1, 2])
      await putProgress(fixture.em(), {
        videoId: id,
        names,
        part: { index, count: 6 },
        fraction: 0.5,
      })
    const record = (index: number) =>
      fixture.execute(
        `insert into rendition_chunk (video_id, name, count, index, facts, size_bytes)
         values (?, '240p', 6, ?, '{"rendition": {"durationMs": 32000}}', 1)`,
        [id, index],
      )
    const outline = { durationMs: 192_000, frameRate: '25/1', rung: '240p', audio: [] }
    await fixture.execute('insert into growing_film (video_id, outline) values (?, ?)', [
      id,
      JSON.stringify({ ...outline, chunks: { chunkFrames: 800, count: 6 } }),
    ])
    await record(0)
    const strip = (name: string) => page.getByRole('img', { name, exact: true })
    const first = strip('240p: 1 of 6 parts done, 2 in progress')
    await first.waitFor()
    await strip('720p: 0 of 6 parts done, 3 in progress').waitFor()
    const stages = await first
      .locator('rect')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-stage')))
    expect(stages).toEqual(['done', 'running', 'running', 'waiting', 'waiting', 'waiting'])
    await page.getByText('Viewers can already watch the beginning: 0:32.').waitFor()
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await record(1)
    await strip('240p: 2 of 6 parts done, 1 in progress').waitFor()
    expect(await browser.axe(page)).toEqual([])
    await fixture.execute("update video set status = 'ready' where id = ?", [id])
    await page.getByText('Ready', { exact: true }).waitFor()
    await first.waitFor({ state: 'detached' })
    await close(page)
  }, 60_000)

  it('moves nothing while it loads', async () => {
    const page = await open('')
    await page.addInitScript(NOTE_SHIFTS)
    const address = page.url()
    for (const [tab, width] of [
      ['', 360],
      ['', 1280],
      ['/captions?open=en', 360],
      ['/poster', 1280],
      ['/embed', 360],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(address + tab)
      await page.locator('main :is(dl, textarea, pre, img)').first().waitFor()
      await page.waitForLoadState('networkidle')
      expect([tab, width, await page.evaluate('shifts')]).toEqual([tab, width, []])
    }
    await browser.leave(page)
  }, 60_000)

  it('waits for the name of its folder, which may take several lines', async () => {
    const name = 'Rehearsals of the evening in the large hall, with all choirs'
    await fixture.execute(
      `with made as (insert into folder (account_id, name) values (?, ?) returning id)
       update video set folder_id = made.id from made where video.id = ?`,
      [fixture.accountId, name, video],
    )
    const page = await open('')
    await page.addInitScript(NOTE_SHIFTS)
    const others = [/\/settings$/, new RegExp(`/videos/${video}$`)]
    await page.route(/\/folders/, async (route) => {
      await Promise.all(loaded)
      // The facts would be shown in this time.
      await page
        .locator('main dl')
        .waitFor({ timeout: 1_000 })
        .catch(() => {})
      await route.continue()
    })
    const loaded = others.map((address) => page.waitForResponse(address))
    await page.reload()
    await page.getByRole('link', { name }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('shifts')).toEqual([])
    await browser.leave(page)
    await fixture.execute('update video set folder_id = null where id = ?', [video])
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
    await page.waitForURL(({ search }) => search === '')
    // The browser logs each refusal of the server.
    await browser.leave(page)
  }, 60_000)

  itOfAll(
    'keep what another member has changed while the form was open',
    async () => {
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
        page.waitForResponse((response) => response.url().endsWith(path) && response.ok()),
        page.evaluate(() => dispatchEvent(new Event('visibilitychange'))),
      ])
      await page.getByLabel('Title', { exact: true }).fill('Last night')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'Last night' }).waitFor()
      const { json } = await fixture.call('reader', 'GET', path)
      expect(json).toMatchObject({ title: 'Last night', description: 'Of another member' })
      await page.context().close()
    },
    60_000,
  )
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
    await browser.leave(page)
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
    await browser.leave(page)
  }, 60_000)
})

describe('the retention curve', () => {
  it('opens the player, which plays from where the curve, or a chapter below it, is chosen', async () => {
    const { accountId } = fixture
    const endDay = utcDay(Date.now())
    const days = { endDay, dayCount: 3, playsADay: 40 }
    await insertAudience(fixture, { accountId, videoIds: [video], ...days })
    const page = await open('/audience')
    const curve = page.getByRole('region', { name: 'Retention' })
    const slider = curve.getByRole('slider', { name: 'Place in the video' })
    await slider.fill('50')
    expect(await slider.getAttribute('aria-valuetext')).toMatch(
      /^0:30: \d+(\.\d)?% watched, \d+(\.\d)?% again$/,
    )
    const untilAt = (from: number, to: number): Promise<true> =>
      waitFor(`the player between ${from} s and ${to} s`, async () => {
        const frame = page.frames().find((one) => one.url().includes('?vt='))
        const position = 'document.querySelector("video")?.currentTime ?? 0'
        const seconds = await frame?.evaluate<number>(position).catch(() => 0)
        return seconds !== undefined && seconds >= from && seconds < to
      })
    await slider.press('Enter')
    await untilAt(30, 45)
    await curve.getByRole('button', { name: 'The speech' }).click()
    await untilAt(8, 25)
    // What is watched again most is in the middle.
    await curve.getByRole('button', { name: /Watched again most: by \d+% of plays$/ }).click()
    await untilAt(33, 48)
    const { x, y, width, height } = (await slider.boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }
    await page.mouse.click(x + width * 0.805, y + height / 2)
    await untilAt(48, SECONDS)
    await curve.getByText('Show as a table').click()
    expect(await curve.getByRole('row').count()).toBe(101)
    expect(await browser.axe(page)).toEqual([])
    await close(page)
  }, 90_000)
})

describe('chapters and moments', () => {
  it('follow the player, move with the keyboard and are saved together', async () => {
    const page = await open('/chapters')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('button', { name: 'Play from The speech' }).click({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Add at 0:08' }).waitFor()
    const timeline = page.getByRole('group', { name: 'Timeline: Chapters' })
    expect(await timeline.innerText()).toMatch(/0:00\s+0:31\s+1:01$/)
    const boundary = page.getByRole('slider', { name: 'Start of The speech' })
    await boundary.press('ArrowLeft')
    await boundary.press('ArrowLeft')
    expect(await boundary.getAttribute('aria-valuetext')).toBe('0:06')
    await page.getByRole('button', { name: 'Add at 0:08' }).click()
    const titles = page.getByLabel('Title', { exact: true })
    await titles.last().fill('The response')
    await page.getByText('3 unsaved changes').waitFor()
    expect(await browser.axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('unsaved change').waitFor({ state: 'detached' })
    const saved = await listChapters(fixture.em(), video)
    expect(saved.map((one) => [one.title, one.startSeconds, one.endSeconds])).toEqual([
      ['The beginning', 0, 6],
      ['The speech', 6, 8],
      ['The response', 8, 15],
    ])
    await close(page)
  }, 90_000)

  itOfAll(
    'show a refusal at the field of their row',
    async () => {
      const page = await open('/chapters')
      const ends = page.getByLabel('End', { exact: true })
      await ends.last().fill('2:00')
      await ends.last().press('Enter')
      await page.getByRole('button', { name: 'Save' }).click()
      await untilInvalid(ends.last())
      expect(await ends.first().getAttribute('aria-invalid')).not.toBe('true')
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect(await ends.last().inputValue()).toBe('0:15')
      await browser.leave(page)
    },
    60_000,
  )

  itOfAll(
    'keep moments in their seconds, and can be dragged',
    async () => {
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
      await page.getByText('unsaved change').waitFor({ state: 'detached' })
      const saved = await listMoments(fixture.em(), video)
      expect(saved.map((one) => one.timestampSeconds)).toEqual([SECONDS / 2])
      await close(page)
    },
    60_000,
  )
})

/** Drops a file on the drop zone. */
async function dropOn(page: Page, { name, mimeType, buffer }: typeof PHOTO): Promise<void> {
  const data = await page.evaluateHandle(
    ({ text, ...file }) => {
      const transfer = new DataTransfer()
      const bytes = Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0)
      transfer.items.add(new File([bytes], file.name, { type: file.mimeType }))
      return transfer
    },
    { name, mimeType, text: buffer.toString('base64') },
  )
  const zone = page.getByRole('button', { name: 'Choose a picture' }).locator('..')
  await zone.dispatchEvent('dragover', { dataTransfer: data })
  await zone.dispatchEvent('drop', { dataTransfer: data })
}

describe('the preview of the settings', () => {
  /** The watermark of each player that the preview has loaded, by its address: the player removes it from the page. */
  const watermarks = new Map<string, object | null>()

  async function keepWatermark(response: Response): Promise<void> {
    if (!response.url().includes('preview=')) return
    watermarks.set(response.url(), playerDataOf(await response.text()).watermark)
  }

  /** The only player that the preview shows, while it plays with this watermark. */
  const untilPlays = (page: Page, watermark: object | null): Promise<Frame> =>
    waitFor('the player of the draft', async () => {
      const [frame, ...others] = page.frames().filter((one) => one.url().includes('preview='))
      if (!frame || others.length > 0) return null
      if (!isDeepStrictEqual(watermarks.get(frame.url()), watermark)) return null
      const position = 'document.querySelector("video")?.currentTime ?? 0'
      return (await frame.evaluate<number>(position).catch(() => 0)) > 0.2 ? frame : null
    })

  /** It has no name or class: it is the last child of the container. */
  const hasMark = (frame: Frame): Promise<boolean> =>
    frame.evaluate(() => {
      const last = document.querySelector('#player')?.lastElementChild
      return last instanceof HTMLDivElement && last.style.zIndex !== ''
    })

  async function countMarkPixels(page: Page, frame: Frame): Promise<number> {
    expect(await hasMark(frame)).toBe(true)
    await frame.evaluate(() => document.querySelector('video')?.pause())
    // The guard puts it back at another place.
    const remove = () =>
      frame.evaluate(() => document.querySelector('#player')?.lastElementChild?.remove())
    return (await markPixels(page, remove)).count
  }

  itOfAll(
    'plays with the watermark of the draft, in its size and opacity, and nothing is saved',
    async () => {
      const page = await open('')
      await page.goto(page.url().replace(/\/videos\/.*/, '/settings/watermark'))
      page.on('response', (response) => void keepWatermark(response))
      await page.getByRole('button', { name: 'Show preview' }).waitFor()
      // Another test may have added a video without objects.
      const choice = page.getByLabel('Video', { exact: true })
      if (await choice.isVisible()) await choice.selectOption(video)
      await page.getByRole('button', { name: 'Show preview' }).click()
      expect(await hasMark(await untilPlays(page, null))).toBe(false)
      // Before the screenshots, which hide the controls by a style of their own.
      expect(await browser.complaints(page)).toEqual([])
      const draft = { text: `dashboard:${fixture.members.owner.id}`, opacity: 1, size: 'large' }
      await page.getByRole('switch', { name: 'Show the watermark' }).check({ force: true })
      await page.getByLabel('Opacity').fill('100')
      await page.getByText('Large', { exact: true }).click()
      const drawn = await untilPlays(page, draft)
      // It also counts where the mark is put back; less if that overlaps with where it was.
      const large = Math.max(await countMarkPixels(page, drawn), await countMarkPixels(page, drawn))
      expect(large).toBeGreaterThan(200)
      await page.getByText('Small', { exact: true }).click()
      const smallDraft = { ...draft, size: 'small' }
      const redrawn = await untilPlays(page, smallDraft)
      const small = await waitFor('a smaller mark', async () => {
        const count = await countMarkPixels(page, redrawn)
        return count < large * 0.8 ? count : null
      })
      await page.getByLabel('Opacity').fill('5')
      const faint = await untilPlays(page, { ...smallDraft, opacity: 0.05 })
      expect(await countMarkPixels(page, faint)).toBeLessThan(small / 2)
      const { json } = await fixture.call('owner', 'GET', '/settings')
      expect(json.watermark).toMatchObject({ enabled: false, opacity: 0.35, size: 'medium' })
      await browser.leave(page)
    },
    120_000,
  )
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

  it('is uploaded: chosen, looked at, sent and shown once it is prepared', async () => {
    const page = await open('/poster')
    await choosePicture(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Choose a picture' }).waitFor()
    await dropOn(page, PHOTO)
    await page.getByRole('button', { name: 'Use as poster' }).press('Enter')
    await page.getByText('Your picture is being prepared.').waitFor()
    expect(await browser.axe(page)).toEqual([])
    // The tab shows the state also when it is opened later.
    await page.reload()
    await page.getByText('Your picture is being prepared.').waitFor()
    await page.evaluate(hastenTimers)
    await setUploadedPoster(video, target)
    await page.locator('img[src$="?v=2"]').waitFor()
    const uploaded = page.getByRole('button', { name: 'Uploaded' })
    expect(await uploaded.getAttribute('aria-pressed')).toBe('true')
    expect(await page.getByText('is being prepared').count()).toBe(0)
    await page.getByRole('button', { name: 'Automatic' }).click()
    await page.locator('img[src$="?v=3"]').waitFor()
    await uploaded.click()
    await page.locator('img[src$="?v=4"]').waitFor()
    await close(page)
  }, 60_000)

  it('stays when the picture is refused, at once or later, and the reason is in plain words', async () => {
    const page = await open('/poster')
    await page.evaluate(hastenTimers)
    const send = async (buffer: Buffer) => {
      await page.locator('input[type=file]').setInputFiles({ ...PHOTO, buffer })
      await page.getByRole('button', { name: 'Use as poster' }).click()
    }
    await send(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    await page.getByRole('alert').getByText('This is not a JPEG, PNG or WebP picture.').waitFor()
    expect(await browser.axe(page)).toEqual([])
    await send(PHOTO.buffer.subarray(0, PHOTO.buffer.length - 60))
    await page.getByText('Your picture is being prepared.').waitFor()
    await setUploadedPoster(video, target)
    await page.getByRole('alert').getByText('The picture is damaged or incomplete.').waitFor()
    await page.getByRole('button', { name: 'Uploaded' }).waitFor()
    // From the disk: the bytes of a buffer would pass through the page, for seconds of processor time.
    const large = join(folder, 'large.png')
    await writeFile(large, '')
    await truncate(large, POSTER_UPLOAD_MAX_BYTES + 1)
    await page.locator('input[type=file]').setInputFiles(large)
    await page.getByText('The file is larger than').waitFor()
    // The browser logs each refusal of the server.
    await browser.leave(page)
  }, 60_000)
})
