import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { putProgress } from '../../db/ingest/write-ingest-progress.ts'
import { putMembership } from '../../db/members/write-members.ts'
import { insertVideo } from '../../db/videos/write-videos.ts'
import type { VideoStatus } from '../../domain/videos/video-state.ts'
import { cookieName, openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { makePng } from '../fixtures/pictures.ts'
import { insertVideoFixture } from '../fixtures/video-rows.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { itOfAll } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { checkViews, PLAIN, takeScreenshot, VIEWS_WITHIN_MS } from './dashboard-looks.ts'
import { loseNextResponse } from './lose-response.ts'
import { openWatchedBrowser, type Look, type WatchedBrowser } from './watched-browser.ts'

/** A title that would turn the text around it if it were not isolated, and that is no markup. */
const HOSTILE_TITLE = '<img src=x onerror=alert(1)> \u202Egnp.exe'

let fixture: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let cookie: { name: string; value: string }

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  fixture = await openDashboardFixture(() => ({ webRouter }))
  const value = await fixture.startSession(fixture.members.owner.id)
  cookie = { name: cookieName(fixture.dashboardBase), value }
  await insert('aaaaaaaaaaaaaaaaaaa1', 'Opening night', 'ready')
  await insert('aaaaaaaaaaaaaaaaaaa2', 'Closing night', 'playable')
  await insert('aaaaaaaaaaaaaaaaaaa3', HOSTILE_TITLE, 'processing')
  await insert('aaaaaaaaaaaaaaaaaaa4', 'A lesson', 'failed')
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await fixture?.close()
})

async function insert(id: string, title: string, status: VideoStatus): Promise<void> {
  const { accountId } = fixture
  const sourceUrl = 'https://files.example/video.mp4'
  const video = { id, accountId, title, description: '', folderId: null, sourceUrl }
  await insertVideo(fixture.em(), {
    ...video,
    protection: 'clearkey',
    keepOriginal: false,
    reservedBytes: 0,
  })
  const failed = status === 'failed'
  await fixture.execute(
    `update video set status = ?, duration_ms = 3661000, width = 1280, height = 720,
       size_bytes = 48211004, error_code = ?, error_message = ? where id = ?`,
    [status, failed ? 'no_video_stream' : null, failed ? 'The file has no video.' : null, id],
  )
}

const setStatus = (id: string, status: VideoStatus) =>
  fixture.execute('update video set status = ? where id = ?', [status, id])

const open = (path: string, look: Look = PLAIN): Promise<Page> =>
  browser.open(`${fixture.dashboardBase}/accounts/${fixture.accountId}${path}`, look, cookie)

/** The videos that the list shows. */
const titles = (page: Page): Promise<string[]> => page.locator('[data-video]').allTextContents()

async function untilTitles(page: Page, expected: string[]): Promise<void> {
  await waitFor(`the titles ${expected.join()}`, async () => {
    const shown = await titles(page)
    return shown.join() === expected.join()
  })
}

/** Deletes from the page of a video, up to the question. */
async function chooseDelete(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
}

const NARROW: Look = { locale: 'en', colorScheme: 'light', width: 360 }

/** Where the title could turn other text: in the tab, in an attribute with more than it, and outside of `bdi`. */
function turnedPlaces(title: string): string[] {
  const faults = document.title.includes('\u202E') ? [document.title] : []
  for (const element of document.querySelectorAll('[aria-label], [title]'))
    for (const name of ['aria-label', 'title']) {
      const value = element.getAttribute(name)
      if (value?.includes('\u202E') === true && value !== title) faults.push(`${name}: ${value}`)
    }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const isApart = node.parentElement?.closest('bdi, option, textarea, [dir=auto], script') != null
    if (node.nodeValue?.includes('\u202E') === true && !isApart) faults.push(node.nodeValue)
  }
  return faults
}

/** Tells the page that its tab is shown or hidden. */
const turnTo = (page: Page, state: DocumentVisibilityState): Promise<unknown> =>
  page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      value: visibilityState,
    })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)

const VIEWS = [
  { name: 'grid', path: '/videos', shown: '[data-item]' },
  {
    name: 'grid with a selection',
    path: '/videos',
    shown: '[data-item]',
    open: (page: Page) => page.locator('[data-item] input').first().check(),
  },
  {
    name: 'table',
    path: '/videos?q=n',
    shown: '[data-item]',
    open: (page: Page) => page.locator('[role=group] button').last().click(),
  },
  { name: 'list without a match', path: '/videos?q=nothing', shown: 'h2' },
  {
    name: 'grid with filters',
    path: '/videos?tag=none&created_from=2026-11-01&sort=title',
    shown: 'h2',
  },
  {
    name: 'dialog of filters',
    path: '/videos',
    shown: '[data-item]',
    open: async (page: Page) => {
      await page.locator('button[aria-haspopup=dialog]:has(svg)').first().click()
      await page.getByRole('dialog').locator('form').waitFor()
    },
  },
  {
    name: 'menu of views',
    path: '/videos',
    shown: '[data-item]',
    open: async (page: Page) => {
      await page
        .locator('button[aria-haspopup=menu]', { has: page.locator('svg') })
        .last()
        .click()
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  {
    name: 'form of a video',
    path: '/videos/aaaaaaaaaaaaaaaaaaa1?edit=1',
    shown: 'fieldset',
  },
  { name: 'dialog to add', path: '/videos/add', shown: '[role=dialog] form' },
  { name: 'dialog of folders', path: '/videos/folders', shown: '[role=dialog] form' },
  { name: 'failed video', path: '/videos/aaaaaaaaaaaaaaaaaaa4', shown: 'dl' },
  { name: 'moving video', path: '/videos/aaaaaaaaaaaaaaaaaaa3', shown: 'dl' },
  { name: 'playable video', path: '/videos/aaaaaaaaaaaaaaaaaaa1', shown: 'dl' },
]

describe('the pages of videos', () => {
  itOfAll(
    'fit, break no rule of axe and obey the policy',
    async () => {
      const base = `${fixture.dashboardBase}/accounts/${fixture.accountId}`
      await checkViews(VIEWS, { browser, base, cookie })
    },
    VIEWS_WITHIN_MS,
  )

  it('search, filter and page through the address, so Back restores them', async () => {
    const page = await open('/videos')
    await page.locator('[data-item]').nth(3).waitFor()
    await page.getByRole('link', { name: 'Failed 1' }).click()
    await untilTitles(page, ['A lesson'])
    expect(new URL(page.url()).search).toBe('?status=failed')
    await page.goBack()
    await page.getByLabel('Search titles').fill('NIGHT')
    await untilTitles(page, ['Closing night', 'Opening night'])
    expect(new URL(page.url()).search).toBe('?q=NIGHT')
    await page.reload()
    await untilTitles(page, ['Closing night', 'Opening night'])
    await page.getByRole('link', { name: 'Opening night' }).click()
    await page.getByRole('heading', { name: 'Opening night' }).waitFor()
    await page.goBack()
    await untilTitles(page, ['Closing night', 'Opening night'])
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  itOfAll(
    'lead to the next and the previous one of the list that led to them, by keys and buttons',
    async () => {
      const page = await open('/videos?q=night')
      const named = (name: string) => page.getByRole('button', { name, exact: true })
      const [previous, next] = [named('Previous in the list'), named('Next in the list')]
      const untilShown = (title: string) =>
        page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.getByRole('link', { name: 'Closing night' }).click()
      await untilShown('Closing night')
      await page.getByRole('link', { name: 'Captions' }).click()
      await page.waitForURL('**/aaaaaaaaaaaaaaaaaaa2/captions?q=night')
      await page.reload()
      await waitFor('the next one', () => next.isEnabled())
      expect(await previous.isDisabled()).toBe(true)
      await page.keyboard.press('k')
      await page.keyboard.press('?')
      const help = page.getByRole('dialog')
      await help.getByText('Next in the list').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Escape')
      await help.waitFor({ state: 'detached' })
      expect(new URL(page.url()).pathname).toMatch(/aaaaaaaaaaaaaaaaaaa2\/captions$/)
      await page.keyboard.press('j')
      await untilShown('Opening night')
      await page.waitForURL('**/aaaaaaaaaaaaaaaaaaa1/captions?q=night')
      await waitFor('the previous one', () => previous.isEnabled())
      expect(await next.isDisabled()).toBe(true)
      await previous.click()
      await untilShown('Closing night')
      await page.goto(`${page.url().replace('/captions', '')}&edit=1`)
      await page.getByLabel('Title', { exact: true }).pressSequentially('jk')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.waitForURL('**/aaaaaaaaaaaaaaaaaaa2?q=night')
      await page.getByRole('main').getByRole('link', { name: 'Videos' }).click()
      await untilTitles(page, ['Closing night', 'Opening night'])
      expect(await browser.complaints(page)).toEqual([])
      await browser.leave(page)
    },
    60_000,
  )

  itOfAll(
    'are not returned to by a search that was being typed when another page was opened',
    async () => {
      const page = await open('/videos')
      await page.clock.install()
      await page.reload()
      const search = page.getByLabel('Search titles')
      // In one task, so that the field cannot send the search between them.
      await search.evaluate((field) => {
        // React would take a value that is set on the field itself for one that it has seen.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
          field,
          'night',
        )
        field.dispatchEvent(new Event('input', { bubbles: true }))
        document.querySelector<HTMLAnchorElement>('a[href$="/videos/add"]')?.click()
      })
      await page.getByRole('dialog').waitFor()
      await page.clock.runFor(2_000)
      expect(new URL(page.url()).pathname).toMatch(/\/videos\/add$/)
      expect(await page.getByRole('dialog').count()).toBe(1)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      // The field says what the list shows.
      expect(await search.inputValue()).toBe('')
      await page.context().close()
    },
    60_000,
  )

  it('show a title as text, isolated from its surroundings', async () => {
    const page = await open('/videos')
    const title = page.locator('[data-video]', { hasText: 'gnp.exe' })
    await title.waitFor()
    expect(await title.locator('bdi').first().textContent()).toBe(HOSTILE_TITLE)
    expect(await page.evaluate(turnedPlaces, HOSTILE_TITLE)).toEqual([])
    await title.click()
    for (const tab of ['Overview', 'Chapters', 'Moments']) {
      await page.getByRole('main').getByRole('link', { name: tab }).click()
      await page.locator('main h1').waitFor()
      expect([tab, await page.evaluate(turnedPlaces, HOSTILE_TITLE)]).toEqual([tab, []])
    }
    await chooseDelete(page)
    await page.getByRole('dialog').waitFor()
    expect(await page.evaluate(turnedPlaces, HOSTILE_TITLE)).toEqual([])
    await browser.leave(page)
  })

  it('follow an ingest until it ends, and not while the tab is hidden', async () => {
    const id = 'aaaaaaaaaaaaaaaaaaa2'
    await setStatus('aaaaaaaaaaaaaaaaaaa3', 'failed')
    await putProgress(fixture.em(), { videoId: id, names: ['720p'], fraction: 0.62 })
    await fixture.em().execute(`update ingest_progress set started_at = now() - interval '1 hour'`)
    const page = await open('/videos')
    await page.clock.install()
    await page.reload()
    await page
      .locator('[data-item]', { hasText: '720p' })
      .getByText(/^62% · 41:\d\d left$/)
      .filter({ visible: true })
      .waitFor()
    const untilTitle = (title: string) =>
      waitFor('the title', async () => (await page.title()) === title)
    await untilTitle('1 in progress · Videos · Reelgate')
    let calls = 0
    page.on('request', (request) => (calls += request.url().includes('/progress') ? 1 : 0))
    await turnTo(page, 'hidden')
    calls = 0
    await page.clock.runFor(60_000)
    expect(calls).toBe(0)
    await turnTo(page, 'visible')
    await setStatus(id, 'ready')
    await page
      .locator('[data-item]', { hasText: 'Closing night' })
      .getByText('Ready')
      .filter({ visible: true })
      .waitFor()
    await untilTitle('Videos · Reelgate')
    calls = 0
    await page.clock.runFor(60_000)
    expect(calls).toBe(0)
    await setStatus('aaaaaaaaaaaaaaaaaaa3', 'processing')
    await page.context().close()
  }, 60_000)
})

describe('many videos', () => {
  const openOther = (path: string): Promise<Page> =>
    browser.open(
      `${fixture.dashboardBase}/accounts/${fixture.otherAccountId}${path}`,
      PLAIN,
      cookie,
    )

  it('are found in another account of the member, and are paged by cursor', async () => {
    const { otherAccountId: accountId, members } = fixture
    await putMembership(fixture.em(), { accountId, memberId: members.owner.id, role: 'owner' })
    for (let number = 1; number <= 27; number += 1)
      await insertVideoFixture(fixture.db, {
        accountId,
        title: `Lesson ${number}`,
        status: 'ready',
      })
    const page = await open('/videos')
    await page.getByRole('button', { name: 'Account and settings' }).click()
    await page.locator(`nav[aria-label=Accounts] a[href='/accounts/${accountId}']`).click()
    await page.waitForURL(`**/accounts/${accountId}`)
    await page.getByRole('link', { name: 'Videos', exact: true }).click()
    await page.getByRole('link', { name: 'Lesson 27' }).waitFor()
    await page.getByRole('link', { name: 'Next page' }).click()
    await untilTitles(page, ['Lesson 2', 'Lesson 1'])
    await page.reload()
    await untilTitles(page, ['Lesson 2', 'Lesson 1'])
    await page.getByRole('link', { name: 'Previous page' }).click()
    await page.getByRole('link', { name: 'Lesson 27' }).waitFor()
    expect(await page.getByRole('link', { name: 'Previous page' }).count()).toBe(0)
    await browser.leave(page)
  }, 60_000)

  it('are moved to a new folder by the keyboard, which can be undone, and by dragging them there', async () => {
    const page = await openOther('/videos')
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByRole('textbox', { name: 'New folder' }).fill('Spring')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Spring 0' }).hover()
    await page.getByRole('button', { name: 'Rename the folder Spring' }).click()
    await page.getByLabel('Name of the folder Spring').fill('Autumn')
    await page.keyboard.press('Enter')
    const folder = page.getByRole('link', { name: /^Autumn/ })
    await folder.waitFor()
    for (const title of ['Lesson 27', 'Lesson 26'])
      await page.getByLabel(`Select ${title}`, { exact: true }).check()
    await page.getByText('2 videos selected').waitFor()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('option', { name: 'No folder' }).waitFor()
    await dialog.getByRole('combobox', { name: 'Folder' }).fill('AUT')
    expect(await dialog.getByRole('option').allTextContents()).toEqual(['Autumn', 'Create “AUT”'])
    expect(await browser.axe(page)).toEqual([])
    await loseNextResponse(page, '*/videos/move')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The dashboard is not responding.').waitFor()
    // The second try is the same request, so the server does not do it twice.
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Autumn 2' }).waitFor()
    const [moves] = await fixture.execute<{ count: number }>(
      "select count(*)::int as count from audit_entry where action = 'video.update' and after -> 'folder_id' is not null",
    )
    expect(moves?.count).toBe(2)
    await page.getByRole('status').getByText('2 videos moved to Autumn').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Autumn 0' }).waitFor()
    await page.getByLabel('Select Lesson 25', { exact: true }).check()
    await page.getByLabel('Select Lesson 24', { exact: true }).check()
    await page.locator('[data-item]', { hasText: 'Lesson 24' }).dragTo(folder)
    await page.getByRole('link', { name: 'Autumn 2' }).click()
    await untilTitles(page, ['Lesson 25', 'Lesson 24'])
    expect(new URL(page.url()).search).toMatch(/^\?folder=\d+$/)
    await page.getByRole('button', { name: 'Delete the folder Autumn' }).click()
    await page.getByRole('alert').getByText('The folder still contains videos.').waitFor()
    await page.getByRole('link', { name: 'No folder 25' }).click()
    await page.getByRole('link', { name: 'Lesson 27' }).waitFor()
    expect(new URL(page.url()).search).toBe('?folder=none')
    await browser.leave(page)
  }, 60_000)

  it('are deleted by their filter once their number is typed, and leave the empty list', async () => {
    const page = await openOther('/videos?q=lesson')
    await page.getByLabel('Select Lesson 27', { exact: true }).check()
    await page.getByLabel('Select all on this page').check()
    await page.getByRole('button', { name: 'Select all 27 matches' }).click()
    await page.getByText('27 videos selected').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Title contains').waitFor()
    const submit = dialog.getByRole('button', { name: 'Delete 27 videos' })
    expect(await submit.isDisabled()).toBe(true)
    expect(await browser.axe(page)).toEqual([])
    await dialog.getByLabel('Type 27 to confirm').fill('27')
    await submit.click()
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await page.getByRole('heading', { name: 'No videos yet' }).waitFor()
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)
})

describe('a reader', () => {
  it('sees the list without a control that changes something', async () => {
    const value = await fixture.startSession(fixture.members.reader.id)
    const address = `${fixture.dashboardBase}/accounts/${fixture.accountId}/videos`
    const page = await browser.open(address, PLAIN, { name: cookie.name, value })
    await page.locator('[data-item]').first().waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    for (const name of ['Add video', 'Folders'])
      expect(await page.getByRole('link', { name }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /folder|title/ }).count()).toBe(0)
    await browser.leave(page)
  })
})

describe('the list of videos', () => {
  /** The title of the link that has the focus. */
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

  it('has the same keys and the same selection as a grid and as a table, and keeps the choice', async () => {
    const page = await open('/videos')
    const all = await untilFour(page)
    for (const view of ['Grid', 'List']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      await page
        .locator(view === 'List' ? 'table' : 'ul > [data-item]')
        .first()
        .waitFor()
      await page.locator('[data-video]').first().focus()
      // A row of the grid has three videos.
      for (const key of view === 'List' ? ['ArrowDown', 'ArrowDown', 'ArrowDown'] : ['ArrowDown'])
        await page.keyboard.press(key)
      expect(await focused(page)).toBe(all[3])
      await page.keyboard.press('Home')
      expect(await focused(page)).toBe(all[0])
      await page.keyboard.press('Space')
      await page.getByText('1 video selected').waitFor()
      await page.keyboard.press(view === 'List' ? 'Shift+ArrowDown' : 'Shift+ArrowRight')
      await page.getByText('2 videos selected').waitFor()
      await page.getByLabel('Select Opening night').click({ modifiers: ['Shift'] })
      await page.getByText('4 videos selected').waitFor()
      await page.locator('[data-video]').first().focus()
      await page.keyboard.press('Escape')
      await page.getByText('videos selected').waitFor({ state: 'detached' })
    }
    await page.keyboard.press('End')
    await page.reload()
    await page.locator('tbody [data-video]').last().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Opening night' }).waitFor()
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  const untilFour = async (page: Page): Promise<string[]> => {
    await page.locator('[data-video]').nth(3).waitFor()
    return titles(page)
  }

  it('shows the storyboard of one video at a time, on hover and on focus, and none with reduced motion', async () => {
    const ids = ['aaaaaaaaaaaaaaaaaaa1', 'aaaaaaaaaaaaaaaaaaa2']
    const setPictures = (value: boolean) =>
      fixture.execute('update video set has_poster = ?, has_storyboard = ? where id in (?, ?)', [
        value,
        value,
        ...ids,
      ])
    const picture = makePng({ width: 320, height: 90 })
    const index = `WEBVTT\n\n${[0, 160].map((x) => `00:00.000 --> 00:01.000\nstoryboard.jpg#xywh=${x},0,160,90\n`).join('\n')}`
    const loaded: string[] = []
    const page = await open('/videos')
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.route('https://play.example/**', (route) => {
      const { pathname } = new URL(route.request().url())
      if (pathname.startsWith('/posters/')) return route.fulfill({ body: picture })
      const isIndex = route.request().resourceType() === 'fetch'
      loaded.push(isIndex ? 'index' : 'picture')
      const headers = { 'Access-Control-Allow-Origin': '*' }
      return isIndex
        ? route.fulfill({ body: index, contentType: 'text/vtt', headers })
        : route.fulfill({ body: picture, contentType: 'image/png' })
    })
    await setPictures(true)
    await page.reload()
    const card = (title: string) => page.locator('[data-item]', { hasText: title })
    await card('Opening night').hover()
    await card('Opening night').locator('canvas[data-drawn=true]').waitFor()
    expect(loaded.toSorted()).toEqual(['index', 'picture'])
    await page.keyboard.press('Tab')
    await page.locator('[data-video]', { hasText: 'Closing night' }).focus()
    await card('Closing night').locator('canvas[data-drawn=true]').waitFor()
    expect(await page.locator('canvas').count()).toBe(1)
    // Once through, it is the poster again.
    await page.locator('canvas').waitFor({ state: 'detached' })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.clock.install()
    await card('A lesson').hover()
    await card('Opening night').hover()
    await page.clock.runFor(2_000)
    expect(await page.locator('canvas').count()).toBe(0)
    expect(loaded.length).toBe(4)
    expect(await browser.complaints(page)).toEqual([])
    await setPictures(false)
    await page.context().close()
  }, 60_000)

  it('asks for a title of a video that has the name of its file, and takes it in place', async () => {
    const id = 'aaaaaaaaaaaaaaaaaaa7'
    await insert(id, 'staff_training_2026.mp4', 'ready')
    const page = await open('/videos')
    await page.getByRole('button', { name: 'Add a title' }).click()
    const field = page.getByLabel('Title instead of staff_training_2026.mp4')
    expect(await field.inputValue()).toBe('Staff training 2026')
    expect(await browser.axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('staff_training_2026.mp4')
    await page.getByRole('button', { name: 'Add a title' }).press('Enter')
    await field.fill('Training of our staff')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Training of our staff' }).waitFor()
    await page.getByRole('button', { name: 'Add a title' }).waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('Training of our staff')
    await fixture.execute('delete from video where id = ?', [id])
    await browser.leave(page)
  }, 60_000)
})

describe('a hidden tab', () => {
  itOfAll(
    'asks nothing, even while a video moves',
    async () => {
      const page = await open('/videos')
      await page.clock.install()
      await page.reload()
      await page.locator('[data-item]').first().waitFor()
      let calls = 0
      page.on('request', (request) => (calls += request.url().includes('/api/') ? 1 : 0))
      const setVisible = (state: 'hidden' | 'visible') =>
        page.evaluate((visibilityState) => {
          Object.defineProperty(document, 'visibilityState', {
            value: visibilityState,
            configurable: true,
          })
          document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
        }, state)
      await setVisible('hidden')
      await page.clock.runFor(1_000)
      calls = 0
      await page.clock.runFor(120_000)
      expect(calls).toBe(0)
      await setVisible('visible')
      await page.clock.runFor(3_000)
      await waitFor('a call', async () => calls > 0)
      await page.context().close()
    },
    60_000,
  )
})

describe('adding a video by link', () => {
  it('says in plain words what is wrong with the link, and makes a folder', async () => {
    const page = await open('/videos/add')
    const dialog = page.getByRole('dialog')
    const link = dialog.getByLabel('Link to the file')
    const title = dialog.getByLabel('Title', { exact: true })
    await link.fill('https://127.0.0.1/opening_night.mp4')
    expect(await title.inputValue()).toBe('Opening night')
    await link.fill('https://127.0.0.1/IMG_2041.MOV')
    expect(await title.inputValue()).toBe('')
    await dialog.getByText('What should viewers see?').waitFor()
    await title.fill('Mine')
    await link.fill('https://127.0.0.1/video.mp4')
    expect(await title.inputValue()).toBe('Mine')
    await dialog.getByLabel('Folder', { exact: true }).selectOption('New folder…')
    await dialog.getByLabel('Name of the new folder').fill('Premieres')
    await dialog.getByRole('button', { name: 'Add by link' }).click()
    await dialog.getByText('The file cannot be opened at this link.').waitFor()
    expect(await dialog.innerText()).not.toMatch(/HEAD|2xx|request/)
    const chosen = dialog.getByLabel('Folder', { exact: true }).locator('option:checked')
    expect(await chosen.textContent()).toBe('Premieres')
    const weightOf = (text: string) =>
      dialog
        .getByText(text, { exact: true })
        .evaluate((element) => getComputedStyle(element).fontWeight)
    expect(Number(await weightOf('Add a video'))).toBeGreaterThan(Number(await weightOf('Title')))
    expect(await browser.axe(page)).toEqual([])
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await takeScreenshot(page, 'refused link', { ...PLAIN, width })
    }
    await fixture.execute(`delete from folder where name = 'Premieres'`)
    await browser.leave(page)
  })

  itOfAll(
    'shows a refusal at its field and keeps what was typed',
    async () => {
      const page = await open('/videos/add?q=night')
      const link = page.getByLabel('Link to the file')
      await link.fill('https://127.0.0.1/video.mp4')
      await page.getByLabel('Title', { exact: true }).fill('Mine')
      await page.getByRole('button', { name: 'Add by link' }).click()
      await waitFor('the refusal', async () => (await link.getAttribute('aria-invalid')) === 'true')
      expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Mine')
      expect(await browser.axe(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      expect(new URL(page.url()).search).toBe('?q=night')
      await browser.leave(page)
    },
    60_000,
  )

  it('says in the language of the member that no DRM provider is configured for the plan', async () => {
    const setProtection = (protection: string) =>
      fixture.execute('update plan set protection = ? where account_id = ?', [
        protection,
        fixture.accountId,
      ])
    await setProtection('multi-drm')
    const page = await open('/videos/add', { ...PLAIN, locale: 'de' })
    await page.getByLabel('Link zur Datei').fill('https://files.example/video.mp4')
    await page.getByRole('button', { name: 'Per Link hinzufügen' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('kein DRM-Anbieter eingerichtet').waitFor()
    expect(await alert.textContent()).toContain('drm_provider_not_configured')
    await setProtection('clearkey')
    await browser.leave(page)
  }, 60_000)
})

describe('a video', () => {
  it('is deleted after its title was typed', async () => {
    await insert('aaaaaaaaaaaaaaaaaaa5', 'To delete', 'ready')
    const page = await open('/videos/aaaaaaaaaaaaaaaaaaa5')
    await chooseDelete(page)
    const submit = page.getByRole('button', { name: 'Delete video' })
    await submit.waitFor()
    expect(await submit.isDisabled()).toBe(true)
    expect(await browser.axe(page)).toEqual([])
    await page.getByLabel('Type To delete to confirm').fill('To delete')
    await submit.click()
    await page.locator('[data-item]').first().waitFor()
    await waitFor('the list without it', async () => !(await titles(page)).includes('To delete'))
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  itOfAll(
    'is deleted although its title has characters that cannot be typed',
    async () => {
      await insert('aaaaaaaaaaaaaaaaaaa6', 'Turned \u202E  and\twide\u200B', 'ready')
      const page = await open('/videos/aaaaaaaaaaaaaaaaaaa6')
      await chooseDelete(page)
      const field = page.getByRole('dialog').getByRole('textbox')
      await page.getByText('Type Turned and wide to confirm').waitFor()
      await field.fill('Turned and')
      const submit = page.getByRole('button', { name: 'Delete video' })
      expect(await submit.isDisabled()).toBe(true)
      await field.fill('Turned and wide')
      await submit.click()
      await page.waitForURL(`**/accounts/${fixture.accountId}/videos`)
      await browser.leave(page)
    },
    60_000,
  )

  itOfAll('that does not exist is a 404 with its request id', async () => {
    const page = await browser.open(
      `${fixture.dashboardBase}/accounts/${fixture.accountId}/videos`,
      PLAIN,
      cookie,
    )
    await page.goto(
      `${fixture.dashboardBase}/accounts/${fixture.accountId}/videos/${'b'.repeat(20)}`,
    )
    await page.getByText('There is nothing at this address.').waitFor()
    await page.getByText('video_not_found').waitFor()
    await browser.leave(page)
  })
})

describe('the frame of the pages', () => {
  itOfAll(
    'changes language, direction and colour scheme at once, and keeps them',
    async () => {
      const page = await open('/videos')
      await page.getByRole('button', { name: 'Account and settings' }).click()
      expect(await browser.axe(page)).toEqual([])
      await page.getByLabel('Appearance').selectOption('dark')
      await page.getByLabel('Language').selectOption('ar')
      await page.getByRole('heading', { name: 'الفيديوهات' }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'الفيديوهات' }).waitFor()
      expect(await page.getAttribute('html', 'dir')).toBe('rtl')
      expect(await page.getAttribute('html', 'data-mantine-color-scheme')).toBe('dark')
      await browser.leave(page)
    },
    60_000,
  )

  it('signs out', async () => {
    const value = await fixture.startSession(fixture.members.reader.id)
    const page = await browser.open(
      `${fixture.dashboardBase}/accounts/${fixture.accountId}/videos`,
      PLAIN,
      { name: cookie.name, value },
    )
    await page.getByRole('button', { name: 'Account and settings' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in?signed-out')
    await browser.leave(page)
  }, 60_000)

  itOfAll(
    'scrolls the chosen tab into a narrow page, on load and when another is chosen',
    async () => {
      const page = await open('/videos/aaaaaaaaaaaaaaaaaaa1/embed', NARROW)
      const tabs = page.getByRole('navigation', { name: 'Sections of this video' })
      const isInView = (name: string) => () =>
        tabs.getByRole('link', { name }).evaluate((link) => {
          const [tab, row] = [
            link.getBoundingClientRect(),
            link.parentElement?.getBoundingClientRect(),
          ]
          return row !== undefined && tab.left >= row.left - 1 && tab.right <= row.right + 1
        })
      await tabs.waitFor()
      await waitFor('the last tab', isInView('Embed'))
      expect(await isInView('Overview')()).toBe(false)
      await page.getByRole('link', { name: 'Overview' }).last().press('Enter')
      await page.waitForURL('**/aaaaaaaaaaaaaaaaaaa1')
      await waitFor('the first tab', isInView('Overview'))
      await page.goto(`${fixture.dashboardBase}/accounts/${fixture.accountId}/videos?status=failed`)
      const filter = page.getByRole('navigation', { name: 'Status' })
      await waitFor('the chosen filter', () =>
        filter.locator('[data-chosen=true]').evaluate((link) => {
          const [tab, row] = [
            link.getBoundingClientRect(),
            link.parentElement?.getBoundingClientRect(),
          ]
          return row !== undefined && tab.left > row.left && tab.right <= row.right + 1
        }),
      )
      await browser.leave(page)
    },
    60_000,
  )

  itOfAll(
    'opens its navigation over a narrow page, and closes it with Escape',
    async () => {
      const page = await open('/videos', NARROW)
      await page.getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('link', { name: 'Videos', exact: true }).waitFor()
      expect(await browser.axe(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.locator('#side').waitFor({ state: 'hidden' })
      await browser.leave(page)
    },
    60_000,
  )
})
