import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readSums } from '../../db/accounts/account-sums.ts'
import { findEndedUploads } from '../../db/uploads/uploads.ts'
import type { Role } from '../../domain/accounts/roles.ts'
import { discardUpload } from '../../sources/discard-upload.ts'
import { cookieName } from '../fixtures/dashboard.ts'
import { readSource } from '../fixtures/stored-source.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { PLAIN, takeScreenshot } from './dashboard-looks.ts'
import { keyboardOf } from './keyboard.ts'
import { openUploadsDoor, type UploadsDoor } from './uploads-door.ts'
import { openWatchedBrowser, type WatchedBrowser } from './watched-browser.ts'

const CHUNK = 1 << 19
const SIZE = 4 * CHUNK
const WIDTHS = [390, 768, 1440]

let t: UploadsDoor & { close: () => Promise<void> }
let browser: WatchedBrowser

beforeAll(async () => {
  const webRouter = await loadBundledWeb()
  browser = await openWatchedBrowser()
  t = await openUploadsDoor(webRouter)
}, 120_000)

beforeEach(() => t.letThrough(Infinity))

afterAll(async () => {
  await browser?.close()
  await t?.close()
})

const cookieOf = async (role: Role) => ({
  name: cookieName(t.dashboardBase),
  value: await t.startSession(t.members[role].id),
})

/** Opens the list of videos. Chunks are small there, as behind a proxy that refuses larger ones. */
async function open(role: Role = 'editor', path = '/videos'): Promise<Page> {
  const address = `${t.dashboardBase}/accounts/${t.accountId}${path}`
  const page = await browser.open(address, PLAIN, await cookieOf(role))
  page.on('dialog', (dialog) => void dialog.accept())
  await page.evaluate((bytes) => localStorage.setItem('reelgate-upload-chunk', bytes), `${CHUNK}`)
  return page
}

const contentOf = (size: number): Buffer =>
  Buffer.from(Array.from({ length: size }, (_, at) => (at * 31) % 251))

/** Writes a file that a member can choose. */
async function makeFile(name: string, size = SIZE): Promise<string> {
  const path = join(t.folder, name)
  await writeFile(path, Buffer.alloc(size, name))
  return path
}

/** Drops files on the heading of the page. Returns whether the page took them. */
const drop = (page: Page, files: { name: string; size: number; type?: string }[]) =>
  page.evaluate((dropped) => {
    const data = new DataTransfer()
    for (const { name, size, type = 'video/mp4' } of dropped) {
      const content = new Uint8Array(size)
      if (size < 10_000_000) for (let at = 0; at < size; at += 1) content[at] = (at * 31) % 251
      data.items.add(new File([content], name, { type, lastModified: 1_700_000_000_000 }))
    }
    const event = { bubbles: true, cancelable: true, dataTransfer: data }
    const heading = document.querySelector('h1')
    heading?.dispatchEvent(new DragEvent('dragover', event))
    return heading?.dispatchEvent(new DragEvent('drop', event)) === false
  }, files)

const tray = (page: Page): Locator => page.getByRole('region', { name: 'Uploads' })
const row = (page: Page, name: string): Locator =>
  tray(page).getByRole('listitem').filter({ hasText: name })
interface Upload {
  filename: string
  status: string
  offset_bytes: number
  video_id: string | null
}

/** The newest upload of a file. */
async function uploadOf(filename: string): Promise<Upload | undefined> {
  const { json } = await t.call('editor', 'GET', '/v1/uploads?limit=100')
  return (json.data as Upload[]).find((upload) => upload.filename === filename)
}

const untilStored = (filename: string, bytes: number) =>
  waitFor(`${bytes} bytes of ${filename}`, async () => {
    const upload = await uploadOf(filename)
    return upload?.offset_bytes === bytes
  })

async function storedFile(filename: string): Promise<Buffer> {
  const upload = await uploadOf(filename)
  return readSource(t, upload?.video_id ?? '')
}

const reservedBytes = async () => (await readSums(t.em(), t.accountId)).reservedBytes

describe('a file that is dropped on the videos', () => {
  it('is sent, shows in the list and its encoding in the tray, and the stored file is equal', async () => {
    const page = await open()
    expect(await drop(page, [{ name: 'opening_night.mp4', size: SIZE + 7 }])).toBe(true)
    await tray(page).getByRole('link', { name: 'Opening night' }).waitFor()
    await row(page, 'Opening night').getByText('Waiting').waitFor()
    await page.getByRole('main').getByText('Opening night').first().waitFor()
    await page.getByRole('status').filter({ hasText: 'is uploaded' }).waitFor({ state: 'attached' })
    expect((await storedFile('opening_night.mp4')).equals(contentOf(SIZE + 7))).toBe(true)
    const [allowed] = await t.execute('select allowed_origin from upload')
    expect(allowed).toEqual({ allowed_origin: new URL(t.dashboardBase).origin })
    const kept = await page.evaluate(() => JSON.stringify(localStorage))
    expect(kept).not.toContain('/uploads/')
    await tray(page).getByRole('button', { name: 'Close the uploads' }).click()
    await tray(page).waitFor({ state: 'detached' })
    expect(await browser.complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  it('is refused at once with the reason if it is no video, or does not fit', async () => {
    await t.execute('update plan set storage_limit_bytes = ? where account_id = ?', [
      20_000_000,
      t.accountId,
    ])
    const page = await open()
    await drop(page, [
      { name: 'notes.txt', size: 10, type: 'text/plain' },
      { name: 'long.mp4', size: 30_000_000 },
    ])
    await row(page, 'notes.txt').getByText('This is not a video file.').waitFor()
    await row(page, 'long.mp4')
      .getByText(/The plan has only 1\d.* MB left/)
      .waitFor()
    expect(await uploadOf('long.mp4')).toBeUndefined()
    await tray(page).getByRole('button', { name: 'Take notes.txt off the list' }).click()
    expect(await row(page, 'notes.txt').count()).toBe(0)
    await t.execute('update plan set storage_limit_bytes = null')
    await browser.leave(page)
  }, 60_000)

  it('is not taken from a member who may not add videos', async () => {
    const page = await open('reader')
    expect(await drop(page, [{ name: 'lesson.mp4', size: 10 }])).toBe(false)
    expect(await page.getByRole('link', { name: 'Add video' }).count()).toBe(0)
    expect(await tray(page).count()).toBe(0)
    await browser.leave(page)
  }, 60_000)
})

describe('an upload', () => {
  it('survives other pages, and a reload: the same file continues where it was', async () => {
    const path = await makeFile('Lesson 2.mp4')
    t.letThrough(2)
    const page = await open('editor', '/videos/add')
    await page.locator('[data-files]').setInputFiles(path)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Team' }).click()
    await untilStored('Lesson 2.mp4', 2 * CHUNK)
    await page.reload()
    const paused = 'Paused at 50%: choose the same file again to continue'
    await row(page, 'Lesson 2.mp4').getByText(paused).waitFor()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await takeScreenshot(page, 'paused upload', { ...PLAIN, width })
    }
    const input = row(page, 'Lesson 2.mp4').locator('input')
    await input.setInputFiles(await makeFile('Other.mp4'))
    await row(page, 'Lesson 2.mp4').getByText('This is another file.').waitFor()
    t.letThrough(Infinity)
    await input.setInputFiles(path)
    await tray(page).getByRole('link', { name: 'Lesson 2' }).waitFor()
    expect(await t.execute(`select 1 from upload where filename = 'Lesson 2.mp4'`)).toHaveLength(1)
    const sent = Buffer.alloc(SIZE, 'Lesson 2.mp4')
    expect((await storedFile('Lesson 2.mp4')).equals(sent)).toBe(true)
    await browser.leave(page)
  }, 60_000)

  it('continues by itself after the network was lost, and after the member was signed out', async () => {
    const page = await open()
    t.letThrough(1)
    await drop(page, [{ name: 'cut.mp4', size: SIZE }])
    await untilStored('cut.mp4', CHUNK)
    await page.context().setOffline(true)
    t.cut()
    await row(page, 'cut.mp4').getByText('No connection. It continues by itself.').waitFor()
    t.letThrough(Infinity)
    await page.context().setOffline(false)
    await tray(page).getByRole('link', { name: 'Cut' }).waitFor()
    t.letThrough(1)
    await drop(page, [{ name: 'late.mp4', size: SIZE }])
    await untilStored('late.mp4', CHUNK)
    await page.context().clearCookies()
    t.letThrough(Infinity)
    await row(page, 'late.mp4').getByText('Sign in again, and it continues.').waitFor()
    await page.getByRole('link', { name: 'Sign in in a new tab' }).waitFor()
    await page.context().addCookies([{ ...(await cookieOf('editor')), url: t.dashboardBase }])
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await tray(page).getByRole('link', { name: 'Late' }).waitFor()
    await browser.leave(page)
  }, 60_000)

  it('takes smaller chunks where a proxy refuses larger ones, and remembers that', async () => {
    const page = await open()
    const size = 5 * CHUNK
    const chunkSize = () => page.evaluate(() => localStorage.getItem('reelgate-upload-chunk'))
    await page.evaluate((bytes) => localStorage.setItem('reelgate-upload-chunk', bytes), `${size}`)
    t.refuseAbove(2 * CHUNK)
    await drop(page, [{ name: 'proxy.mp4', size }])
    await tray(page).getByRole('link', { name: 'Proxy' }).waitFor()
    t.refuseAbove(Infinity)
    expect((await storedFile('proxy.mp4')).equals(contentOf(size))).toBe(true)
    expect(Number(await chunkSize())).toBe(size / 4)
    await browser.leave(page)
  }, 60_000)

  it('gives its storage back when it is cancelled', async () => {
    const page = await open()
    t.letThrough(1)
    const before = await reservedBytes()
    await drop(page, [{ name: 'mistake.mp4', size: SIZE }])
    await untilStored('mistake.mp4', CHUNK)
    expect(await reservedBytes()).toBe(before + SIZE)
    await tray(page).getByRole('button', { name: 'Cancel mistake.mp4' }).click()
    await tray(page).waitFor({ state: 'detached' })
    await waitFor('the cancellation', async () => {
      const upload = await uploadOf('mistake.mp4')
      return upload?.status === 'cancelled'
    })
    t.letThrough(Infinity)
    for (const upload of await findEndedUploads(t.em(), 10)) await discardUpload(t, upload)
    expect(await reservedBytes()).toBe(before)
    await browser.leave(page)
  }, 60_000)

  it('is begun, paused, continued, folded and cancelled with the keyboard alone', async () => {
    const page = await open()
    const keyboard = keyboardOf(page)
    const named = (name: string) => page.getByRole('button', { name, exact: true })
    await keyboard.press(page.getByRole('link', { name: 'Add video' }).first())
    const chooser = page.waitForEvent('filechooser')
    await keyboard.press(named('Choose files'))
    t.letThrough(1)
    await (await chooser).setFiles([await makeFile('Keys.mp4'), await makeFile('notes.txt', 3)])
    await untilStored('Keys.mp4', CHUNK)
    await keyboard.press(named('Pause Keys.mp4'))
    await row(page, 'Keys.mp4')
      .getByText(/^Paused at \d+%/)
      .waitFor()
    expect(await browser.axe(page)).toEqual([])
    await keyboard.press(named('Continue Keys.mp4'))
    await keyboard.press(named('Hide the uploads'))
    await keyboard.press(named('Show the uploads'))
    await keyboard.press(named('Take notes.txt off the list'))
    await keyboard.press(named('Cancel Keys.mp4'))
    await tray(page).waitFor({ state: 'detached' })
    const focused = await page.evaluate(() => document.activeElement?.id)
    expect(focused).toBe('main')
    await browser.leave(page)
  }, 60_000)
})

/** Drags files and folders of the disk onto the page, as the system does. */
async function drag(page: Page, files: string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const at = { x: 600, y: 300, data: { items: [], files, dragOperationsMask: 1 } }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, ...at })
  await devtools.detach()
}

describe('a folder', () => {
  it('becomes a folder by its name, with that of each level joined, dropped or chosen', async () => {
    const [course, talks] = [join(t.folder, 'Course'), join(t.folder, 'Talks')]
    await mkdir(join(course, 'Week 1'), { recursive: true })
    await mkdir(talks)
    for (const name of ['intro.mp4', '.hidden.mp4', join('Week 1', 'first lesson.mp4')])
      await writeFile(join(course, name), Buffer.alloc(CHUNK, name))
    await writeFile(join(talks, 'keynote.mp4'), Buffer.alloc(CHUNK, 'keynote'))
    const page = await open()
    await drag(page, [course])
    await page.getByRole('link', { name: 'Add video' }).click()
    await page.locator('[webkitdirectory]').setInputFiles(talks)
    for (const title of ['Intro', 'First lesson', 'Keynote'])
      await tray(page).getByRole('link', { name: title, exact: true }).waitFor()
    const filed = await t.execute(
      `select f.name, v.title from video v join folder f on f.id = v.folder_id order by f.name`,
    )
    expect(filed).toEqual([
      { name: 'Course', title: 'Intro' },
      { name: 'Course / Week 1', title: 'First lesson' },
      { name: 'Talks', title: 'Keynote' },
    ])
    await page.getByRole('link', { name: /^Course \/ Week 1/ }).waitFor()
    await browser.leave(page)
  }, 60_000)
})
