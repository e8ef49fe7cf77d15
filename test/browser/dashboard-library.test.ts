import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updateVideo } from '../../db/videos/write-videos.ts'
import { cookieName, openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { insertVideoFixture } from '../fixtures/video-rows.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { someOf } from '../infrastructure/every-case.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { PLAIN, takeScreenshot } from './dashboard-looks.ts'
import { openWatchedBrowser, type Look, type WatchedBrowser } from './watched-browser.ts'

let fixture: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let folderId: number

/** From the oldest. Each second one is tagged; their letters are not in the order of their creation. */
const LESSONS = ['Mike', 'Alpha', 'Zulu', 'Bravo', 'Yankee', 'Charlie']

/** With signs that mean something in an address. */
const ODD_KEY = 'a & b=ü #'

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  fixture = await openDashboardFixture(() => ({ webRouter }))
  const [folder] = await fixture.execute<{ id: number }>(
    "insert into folder (account_id, name) values (?, 'Autumn') returning id",
    [fixture.accountId],
  )
  folderId = Number(folder?.id)
  for (const [index, title] of LESSONS.entries())
    await insert({
      title,
      ...(index % 2 === 0 ? { tags: ['Lab'], folderId } : {}),
      metadata: { course: String(index % 3), ...(title === 'Mike' && { [ODD_KEY]: 'x' }) },
    })
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await fixture?.close()
})

const insert = (facts: object): Promise<string> =>
  insertVideoFixture(fixture.db, { accountId: fixture.accountId, ...facts })

async function open(
  path: string,
  person: 'owner' | 'reader' = 'owner',
  look: Look = PLAIN,
): Promise<Page> {
  const value = await fixture.startSession(fixture.members[person].id)
  const cookie = { name: cookieName(fixture.dashboardBase), value }
  return browser.open(`${fixture.dashboardBase}/accounts/${fixture.accountId}${path}`, look, cookie)
}

async function untilTitles(page: Page, expected: string[]): Promise<void> {
  const shown = () => page.locator('[data-video]').allTextContents()
  await waitFor(
    `the titles ${expected.join()}`,
    async () => (await shown()).join() === expected.join(),
  )
}

const searchOf = (page: Page): string => decodeURIComponent(new URL(page.url()).search)

const openFilters = async (page: Page) => {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  return page.getByRole('dialog')
}

const LAB = ['Yankee', 'Zulu', 'Mike']

describe('the filters of the list', () => {
  it('are in the address, so that reload and Back show the same, and each can be removed', async () => {
    const page = await open('/videos')
    const dialog = await openFilters(page)
    await dialog.getByLabel('Tag').fill('LAB')
    await page.keyboard.press('Enter')
    await untilTitles(page, LAB)
    expect(searchOf(page)).toBe('?tag=LAB')
    await page.reload()
    await untilTitles(page, LAB)
    const again = await openFilters(page)
    expect(await again.getByLabel('Tag').inputValue()).toBe('LAB')
    await again.getByLabel('Metadata name').fill('course')
    await again.getByRole('button', { name: 'Show videos' }).click()
    await again.getByText('A name and its value belong together.').waitFor()
    await again.getByLabel('Metadata value').fill('2')
    await again.getByRole('button', { name: 'Show videos' }).click()
    await untilTitles(page, ['Zulu'])
    await page.getByRole('link', { name: 'Remove filter: Tag: LAB' }).click()
    await untilTitles(page, ['Charlie', 'Zulu'])
    await page.goBack()
    await untilTitles(page, ['Zulu'])
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await untilTitles(page, LESSONS.toReversed())
    expect(searchOf(page)).toBe('')
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  it('find by day, length, protection and external id, also from a shared link', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const page = await open(`/videos?created_to=2020-01-01`)
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.goto(
      `${page.url().split('?')[0]}?created_from=2020-01-01&created_to=${today}&tag=Lab`,
    )
    await untilTitles(page, LAB)
    await page.goto(`${page.url().split('?')[0]}?key=${encodeURIComponent(ODD_KEY)}&value=x`)
    await untilTitles(page, ['Mike'])
    await page.goto(`${page.url().split('?')[0]}?protection=multi-drm`)
    await page.getByText('Protection: Multi-DRM').waitFor()
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.goto(`${page.url().split('?')[0]}?min_seconds=60&max_seconds=5400`)
    await page.getByText('Length at least: 1:00').waitFor()
    const dialog = await openFilters(page)
    expect(await dialog.getByLabel('Minutes, at most').inputValue()).toBe('90')
    await browser.leave(page)
  }, 60_000)

  it('go with the order, by which the pages and the next video of the list follow', async () => {
    const page = await open('/videos')
    await page.getByLabel('Order').selectOption('Title A–Z')
    const sorted = LESSONS.toSorted()
    await untilTitles(page, sorted)
    expect(searchOf(page)).toBe('?sort=title')
    await page.getByRole('link', { name: 'Bravo' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bravo' }).waitFor()
    const next = page.getByRole('button', { name: 'Next in the list' })
    await waitFor('the next one', () => next.isEnabled())
    await next.click()
    await page.getByRole('heading', { level: 1, name: 'Charlie' }).waitFor()
    await browser.leave(page)
  }, 60_000)

  it('say so if a search takes too long', async () => {
    const page = await open('/videos')
    await page.route(/\/videos\?.*tag=/, (route) =>
      route.fulfill({
        status: 422,
        json: { error: { type: 'invalid_request_error', code: 'query_too_broad', message: 'x' } },
      }),
    )
    const dialog = await openFilters(page)
    await dialog.getByLabel('Tag').fill('Lab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'This search takes too long' }).waitFor()
    await page.getByRole('link', { name: 'Remove filter: Tag: Lab' }).click()
    await untilTitles(page, LESSONS.toReversed())
    await browser.leave(page)
  }, 60_000)
})

const NONE = { object: 'list', data: [], has_more: false, url: '/v1/folders' }

/** The lines in which elements are seen: the middle of each, from the top of the page. */
async function linesOf(page: Page, selector: string): Promise<number[]> {
  const middles = await page.locator(selector).evaluateAll((elements) =>
    elements
      .map((element) => element.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ top, height }) => Math.round(top + window.scrollY + height / 2)),
  )
  const sorted = middles.toSorted((one, other) => one - other)
  return sorted.filter((middle, index) => middle - (sorted[index - 1] ?? -Infinity) > 4)
}

const TOOLS = '[data-crowded] > *'
const STATUSES = 'main nav [data-chosen]'

describe('the list in a narrow window', () => {
  it.each(someOf(['es', 'de', 'ar', 'pt', 'fr', 'en'], 3))(
    'has one line for folders, filters and views, above statuses that stay when the folders come (%s)',
    async (locale) => {
      const look: Look = { locale, colorScheme: 'light', width: 360 }
      const page = await open('/videos', 'owner', look)
      for (const isNone of [false, true]) {
        const held = Promise.withResolvers<void>()
        await page.route('**/v1/folders?*', async (route) => {
          await held.promise
          await (isNone ? route.fulfill({ json: NONE }) : route.continue())
        })
        await page.reload()
        await page.locator('[data-item]').first().waitFor()
        const before = await linesOf(page, STATUSES)
        expect(await linesOf(page, TOOLS)).toHaveLength(1)
        held.resolve()
        await page
          .locator(isNone ? '[data-crowded=false]' : '[data-crowded] option:nth-child(3)')
          .waitFor({ state: 'attached' })
        expect(await linesOf(page, TOOLS)).toHaveLength(1)
        expect(await linesOf(page, STATUSES)).toEqual(before)
        expect(await page.evaluate(cutWords)).toEqual([])
        await takeScreenshot(page, isNone ? 'narrow list' : 'narrow list with folders', look)
        await page.unrouteAll()
      }
      await browser.leave(page)
    },
    60_000,
  )

  it.each(someOf(['de', 'es', 'pt', 'ar', 'fr', 'en'], 3))(
    'has the bar of the selection in two lines (%s)',
    async (locale) => {
      const look: Look = { locale, colorScheme: 'light', width: 360 }
      const page = await open('/videos', 'owner', look)
      await page.locator('[data-item] input').first().check()
      await page.locator('section:has(> output)').waitFor()
      expect(await linesOf(page, 'section:has(> output) :is(output, button)')).toHaveLength(2)
      await takeScreenshot(page, 'narrow selection', look)
      await browser.leave(page)
    },
    60_000,
  )
})

/** The words of buttons that have no room, unless a screen reader alone reads them. */
function cutWords(): string[] {
  return [...document.querySelectorAll<HTMLElement>('[data-crowded] .mantine-Button-label')]
    .filter((label) => getComputedStyle(label).position !== 'absolute')
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((label) => label.textContent)
}

describe('the saved views of a reader', () => {
  it('are saved, shown, renamed, replaced and deleted, which can be undone', async () => {
    const page = await open('/videos?tag=Lab&sort=title', 'reader')
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Views' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    const dialog = page.getByRole('dialog')
    await choose('Save this view')
    await dialog.getByLabel('Name of the view').fill('Lab work')
    await page.keyboard.press('Enter')
    await page.getByText('The view “Lab work” was saved').waitFor()
    await page.goto(page.url().split('?')[0]!)
    await choose('Lab work')
    await untilTitles(page, LAB.toSorted())
    expect(searchOf(page)).toBe('?tag=Lab&sort=title')
    await page.getByRole('link', { name: 'Remove filter: Tag: Lab' }).click()
    await untilTitles(page, LESSONS.toSorted())
    await choose('Save this view')
    await dialog.getByLabel('Name of the view').fill('Lab work')
    await dialog.getByText('Saving replaces it.').waitFor()
    await dialog.getByRole('button', { name: 'Replace it' }).click()
    await dialog.waitFor({ state: 'detached' })
    await choose('Manage views')
    expect(await browser.axe(page)).toEqual([])
    await dialog.getByLabel('Name of the view Lab work').fill('By title')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Delete the view By title' }).click()
    await page.getByText('The view “By title” was deleted').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await dialog.getByLabel('Name of the view By title').waitFor()
    const [view] = await fixture.execute('select name, search from saved_view')
    expect(view).toEqual({ name: 'By title', search: { sort: 'title' } })
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)
})

describe('the form of a video', () => {
  const own = async (id: string) => {
    const [row] = await fixture.execute(
      'select external_id, tags, metadata from video where id = ?',
      [id],
    )
    return row
  }

  it('sets external id, tags and metadata, and leads to the video that has an external id', async () => {
    const holder = await insert({ title: 'The holder', externalId: 'lesson-9' })
    const id = await insert({ title: 'Mine', tags: ['old'], metadata: { a: '1', b: '2' } })
    const page = await open(`/videos/${id}?edit=1`)
    await page.getByLabel('External ID').fill('lesson-9')
    const tags = page.getByLabel('Tags', { exact: true }).first()
    await tags.fill('Lab')
    await tags.press('Enter')
    await tags.pressSequentially('autumn,')
    await page.getByRole('button', { name: 'Remove the tag old' }).click()
    await page.getByRole('button', { name: 'Remove the metadata a' }).click()
    await page.getByRole('button', { name: 'Add metadata' }).click()
    await page.getByRole('textbox', { name: 'Name' }).last().fill('b')
    await page.getByRole('textbox', { name: 'Value' }).last().fill('3')
    const save = page.getByRole('button', { name: 'Save' })
    await save.click()
    await page.getByText('There is another value of this name.').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).last().fill('course')
    await save.click()
    const link = page.getByRole('link', { name: 'The holder' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toMatch(new RegExp(`/videos/${holder}$`))
    expect(await browser.axe(page)).toEqual([])
    await page.getByLabel('External ID').fill(`lesson-${id}`)
    await save.click()
    await page.getByRole('link', { name: 'autumn' }).waitFor()
    expect(await own(id)).toEqual({
      external_id: `lesson-${id}`,
      tags: ['Lab', 'autumn'],
      metadata: { b: '2', course: '3' },
    })
    await page.getByRole('link', { name: 'autumn' }).click()
    await untilTitles(page, ['Mine'])
    await browser.leave(page)
  }, 60_000)

  it('shows both values of what another member has changed meanwhile, and keeps their other changes', async () => {
    const id = await insert({ title: 'Shared', tags: ['one'], metadata: { a: '1' } })
    const page = await open(`/videos/${id}?edit=1`)
    await page.getByRole('button', { name: 'Remove the tag one' }).click()
    await updateVideo(fixture.em(), id, { tags: ['two'], metadata: { a: '9' } })
    const save = page.getByRole('button', { name: 'Save' })
    await save.click()
    const alert = page.getByRole('alert').filter({ hasText: 'Tags' })
    await alert.getByText('Metadata').waitFor()
    await alert.getByRole('radio', { name: 'two' }).check()
    await save.click()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    expect(await own(id)).toMatchObject({ tags: ['two'], metadata: { a: '9' } })
    await browser.leave(page)
  }, 60_000)
})

describe('the tags of selected videos', () => {
  it('are added and removed at once; a video with 20 is named and stays as it is', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
    await insert({ title: 'Full', tags: many })
    await insert({ title: 'Free', tags: ['tag 0'] })
    const page = await open('/videos?tag=tag 0')
    await untilTitles(page, ['Free', 'Full'])
    for (const title of ['Free', 'Full'])
      await page.getByLabel(`Select ${title}`, { exact: true }).check()
    await page.getByRole('button', { name: 'Tags' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Add tags').fill('new')
    await dialog.getByLabel('Add tags').press('Enter')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('1 video would have more than 20 tags').waitFor()
    await dialog.getByText('Full', { exact: true }).waitFor()
    await page.getByText('Tags of 1 video changed').waitFor()
    expect(await browser.axe(page)).toEqual([])
    await dialog.getByRole('checkbox', { name: /^tag 1\b/ }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const rows = await fixture.execute<{ title: string; tags: string[] }>(
      "select title, tags from video where title in ('Full', 'Free') order by title",
    )
    expect(rows).toEqual([
      { title: 'Free', tags: ['tag 0', 'new'] },
      { title: 'Full', tags: [...many.filter((tag) => tag !== 'tag 1'), 'new'] },
    ])
    await browser.leave(page)
  }, 60_000)
})
