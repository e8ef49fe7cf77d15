import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cookieName, openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { insertLongValues } from '../fixtures/long-values.ts'
import { insertViewer } from '../fixtures/watched.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { until } from '../infrastructure/wait-for.ts'
import { leaveFor, PLAIN } from './dashboard-looks.ts'
import { openWatchedBrowser, type WatchedBrowser } from './watched-browser.ts'

const WEB = fileURLToPath(new URL('../../dashboard/web/', import.meta.url))

let t: DashboardFixture & { close: () => Promise<void> }
let browser: WatchedBrowser
let page: Page
let videoId: string
let endpointId: string

/** A viewer who is not revoked. */
const VIEWER = 'anna'

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  t = await openDashboardFixture(() => ({ webRouter }))
  videoId = (await insertLongValues(t)).videoId
  await insertViewer(t.db, t.accountId, VIEWER)
  const [row] = await t.execute<{ id: string }>('select max(id) as id from webhook_endpoint')
  endpointId = String(row?.id)
  const cookie = {
    name: cookieName(t.dashboardBase),
    value: await t.startSession(t.members.owner.id),
  }
  page = await browser.open(addressOf('/usage'), PLAIN, cookie)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await t?.close()
})

const addressOf = (path: string): string => `${t.dashboardBase}/accounts/${t.accountId}${path}`

/** A dialog: the file that shows it, the page that it is opened on, and how. */
interface Walk {
  file: string
  path: () => string
  /** What opens it. For an item of a menu, the button of the menu. */
  opener: () => Locator
  /** The item of the menu. */
  item?: string
  /** The key that opens it instead of Enter. */
  key?: string
  /** What is done before. */
  before?: () => Promise<void>
  /** Of the window. */
  width?: number
}

const button = (name: string | RegExp) => () => page.getByRole('button', { name }).first()
const link = (name: string | RegExp) => () =>
  page.getByRole('main').getByRole('link', { name }).first()
const inRow = (name: string | RegExp) => () =>
  page.getByRole('main').locator('tbody').getByRole('button', { name }).first()

const chooseVideo = (): Promise<void> =>
  page.getByRole('main').locator('[data-item]').getByRole('checkbox').first().check()

/** The button of the menu is another one before it is first opened. */
async function loadViews(): Promise<void> {
  await button('Views')().press('Enter')
  await page.getByRole('menuitem', { name: 'Save this view' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

const WALKS: Walk[] = [
  {
    file: 'shell/shortcut-help.tsx',
    path: () => '/usage',
    opener: () => page.getByRole('link', { name: 'Audit log' }),
    key: '?',
  },
  {
    file: 'pages/videos/list/move-videos.tsx',
    path: () => '/videos',
    before: chooseVideo,
    opener: button('Move'),
  },
  {
    file: 'pages/videos/list/delete-videos.tsx',
    path: () => '/videos',
    before: chooseVideo,
    // Not that of a folder.
    opener: button(/^Delete$/),
  },
  {
    file: 'pages/videos/own/tag-videos.tsx',
    path: () => '/videos',
    before: chooseVideo,
    opener: button('Tags'),
  },
  {
    file: 'pages/videos/filters/filter-dialog.tsx',
    path: () => '/videos',
    opener: button(/^Filter$/),
  },
  {
    file: 'pages/videos/views/save-view.tsx',
    path: () => '/videos',
    before: loadViews,
    opener: button('Views'),
    item: 'Save this view',
  },
  { file: 'shell/palette.tsx', path: () => '/usage', opener: button(/Search or go to/) },
  { file: 'pages/videos/add/add-video.tsx', path: () => '/videos', opener: link('Add video') },
  {
    file: 'pages/videos/folders/folders-dialog.tsx',
    path: () => '/videos',
    opener: link('Folders'),
    // Wider, the folders are at the side.
    width: 900,
  },
  {
    file: 'pages/videos/video/delete-video.tsx',
    path: () => `/videos/${videoId}`,
    opener: button('Actions'),
    item: 'Delete',
  },
  {
    file: 'pages/audience/viewers/revoke-or-restore.tsx',
    path: () => `/audience/viewer?id=${VIEWER}`,
    opener: button('Revoke viewer'),
  },
  {
    file: 'pages/audience/viewers/erase-viewer.tsx',
    path: () => `/audience/viewer?id=${VIEWER}`,
    opener: button('Erase viewer'),
  },
  {
    file: 'pages/developers/keys/create-key.tsx',
    path: () => '/developers/keys',
    opener: link('Create key'),
  },
  {
    file: 'pages/developers/keys/revoke-key.tsx',
    path: () => '/developers/keys',
    opener: inRow('Revoke'),
  },
  {
    file: 'pages/developers/endpoints/endpoint-form.tsx',
    path: () => '/developers/webhooks',
    opener: link('Add endpoint'),
  },
  {
    file: 'pages/developers/endpoints/rotate-secret.tsx',
    path: () => `/developers/webhooks/${endpointId}`,
    opener: () => page.locator('[aria-haspopup=menu]').first(),
    item: 'secret',
  },
  {
    file: 'pages/developers/endpoints/endpoint-actions.tsx',
    path: () => `/developers/webhooks/${endpointId}`,
    opener: () => page.locator('[aria-haspopup=menu]').first(),
    item: 'Delete',
  },
  {
    file: 'pages/developers/record-store/store-form.tsx',
    path: () => '/developers/record-store',
    opener: button('Set up record store'),
  },
  {
    file: 'pages/developers/replays/start-replay.tsx',
    path: () => '/developers/replays',
    opener: link(/^Start/),
  },
  {
    file: 'pages/security/end-playback.tsx',
    path: () => '/security/playing',
    opener: link(/^End$/),
  },
  {
    file: 'pages/security/revoke-viewer.tsx',
    path: () => '/security/viewers',
    opener: link('Revoke a viewer'),
  },
  { file: 'pages/team/invite-dialog.tsx', path: () => '/team', opener: link('Invite') },
  { file: 'pages/team/member-row.tsx', path: () => '/team', opener: inRow(/^Remove editor/) },
  { file: 'pages/me/passkey-dialogs.tsx', path: () => '/me', opener: button('Add a passkey') },
]

/** Dialogs that need more than a click on a page, and use the same part. */
const ELSEWHERE: Record<string, string> = {
  'parts/dialogs/form-dialog.tsx': 'the part of those with a form',
  'parts/dialogs/confirm-dialog.tsx': 'the part of those that ask before they delete',
  'shell/confirm-identity.tsx': 'opens when a request is refused (dashboard-keyboard.test.ts)',
  'shell/leave-dialog.tsx': 'opens when a page is left (dashboard-keyboard.test.ts)',
  'parts/dialogs/secret-once.tsx': 'follows another dialog (dashboard-keyboard.test.ts)',
  'pages/videos/captions/delete-caption.tsx': 'needs a caption (dashboard-keyboard.test.ts)',
  'pages/operator/retry-video.tsx': 'needs an operator',
  'pages/videos/views/manage-views.tsx': 'needs a saved view (dashboard-library.test.ts)',
  'pages/developers/record-store/store-actions.tsx':
    'needs a record store (dashboard-record-store.test.ts)',
  'pages/developers/record-store/store-test.tsx':
    'needs a record store (dashboard-record-store.test.ts)',
  'pages/settings/refused-plays-dialog.tsx': 'opens when settings are saved',
  'pages/settings/signing-secret.tsx': 'is on a page with a form',
  'uploads/tray/cancel-dialog.tsx': 'needs an upload of which 100 MB are sent',
}

/** Opens a dialog by the keyboard, closes it with Escape, and waits until what opened it has the focus. */
async function openAndClose(walk: Walk): Promise<void> {
  const { path, opener, item, key = 'Enter', before, width = PLAIN.width } = walk
  await page.setViewportSize({ width, height: 800 })
  const address = addressOf(path())
  if (new URL(page.url()).pathname !== new URL(address).pathname) await leaveFor(page, address)
  await before?.()
  await opener().waitFor()
  await opener().evaluate((element) => {
    for (const former of document.querySelectorAll('[data-opener]'))
      former.removeAttribute('data-opener')
    element.setAttribute('data-opener', '')
  })
  await opener().press(key)
  if (item !== undefined) await page.getByRole('menuitem', { name: item }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor({ timeout: 10_000 })
  await until(() => dialog.evaluate((one) => one.contains(document.activeElement)), 5_000)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached', timeout: 10_000 })
  await until(
    () => page.evaluate(() => document.activeElement?.hasAttribute('data-opener') === true),
    2_000,
  )
}

async function sources(): Promise<Map<string, string>> {
  const files = (await readdir(WEB, { recursive: true })).filter((file) => file.endsWith('.tsx'))
  const texts = files.map(async (file) => [file, await readFile(WEB + file, 'utf8')] as const)
  return new Map(await Promise.all(texts))
}

describe('the dialogs of the dashboard', () => {
  it('are all made by one part, and all known here', async () => {
    const code = await sources()
    const importing = (pattern: RegExp): string[] =>
      [...code].filter(([, text]) => pattern.test(text)).map(([file]) => file)
    expect(importing(/import \{[^}]*\b(Modal|Drawer)\b[^}]*\} from '@mantine\/core'/)).toEqual([
      'parts/dialogs/dialog.tsx',
    ])
    const shown = importing(/<(Dialog|Dialog\.Root|FormDialog|ConfirmDialog)\b/)
    const known = new Set([...WALKS.map(({ file }) => file), ...Object.keys(ELSEWHERE)])
    expect([...known].toSorted()).toEqual(shown.toSorted())
  })

  it('return the focus to what opened them', async () => {
    const faults: string[] = []
    for (const walk of WALKS)
      await openAndClose(walk).catch(async (error: unknown) => {
        const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 80))
        faults.push(`${walk.file}: ${String(error).slice(0, 200)} ${focused}`)
        // Without the dialog, for the next one.
        await page.goto(addressOf('/usage'))
      })
    expect(faults).toEqual([])
  }, 120_000)

  it('leave the focus on the heading if what opened them is gone', async () => {
    await page.goto(addressOf('/team'))
    await page.getByRole('button', { name: /^Remove reader/ }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await until(() => page.evaluate(() => document.activeElement?.tagName === 'H1'), 5_000)
  }, 60_000)
})

describe('a navigation', () => {
  it('moves the focus to the heading of the page, and says its title', async () => {
    await page.goto(addressOf('/usage'))
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    // A page that is loaded keeps the focus at its beginning, for the link that skips to the content.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await page.getByRole('link', { name: 'Audit log' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    await until(
      () => page.evaluate(() => document.activeElement?.textContent === 'Audit log'),
      5_000,
    )
    await page.locator('output[aria-live]').getByText('Audit log').waitFor()
    await page.getByRole('link', { name: 'Videos', exact: true }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Videos' }).waitFor()
    await page.getByRole('main').locator('[data-video]').first().press('Enter')
    await page.waitForURL(`**/videos/${videoId}**`)
    await until(() => page.evaluate(() => document.activeElement?.tagName === 'H1'), 5_000)
    expect(await browser.axe(page)).toEqual([])
    // Tabs of one page are no navigation of it: the focus stays on the tab.
    await page.getByRole('link', { name: 'Captions' }).press('Enter')
    await page.waitForURL('**/captions**')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Captions')
    expect(await browser.complaints(page)).toEqual([])
  }, 60_000)
})
