import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Reelgate } from '../../sdk/src/index.ts'
import { setUpApiFixture } from '../fixtures/api.ts'
import { readSource } from '../fixtures/stored-source.ts'
import { openUploadFront, type UploadFault, type UploadFront } from '../fixtures/upload-front.ts'
import { closeServer } from '../infrastructure/close-server.ts'
import { openWatchedBrowser, type Look, type WatchedBrowser } from './watched-browser.ts'

const MIB = 1 << 20
const LOOK: Look = { locale: 'en', colorScheme: 'light', width: 800 }
const file = randomBytes(3 * MIB)

const t = setUpApiFixture()
let front: UploadFront
let browser: WatchedBrowser
let site: Server
let siteUrl: string
let reelgate: Reelgate
let path: string
/** Of the site: its pages and scripts by their paths. */
const pages: Record<string, { type: string; body: string }> = {}
/** What the site's server was asked for. */
let asked: unknown[] = []

beforeAll(async () => {
  front = await openUploadFront(t.base)
  browser = await openWatchedBrowser()
  reelgate = new Reelgate({ apiKey: t.ours.key, baseUrl: t.base })
  path = join(t.folder, 'Lesson 7.mp4')
  await writeFile(path, file)
  site = createServer((request, response) => void serveSite(request, response)).listen(
    0,
    '127.0.0.1',
  )
  await once(site, 'listening')
  siteUrl = `http://site.localhost:${(site.address() as AddressInfo).port}`
  await serveScript('/uploader.js', DEFINE)
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await closeServer(site)
  await front.close()
})

beforeEach(() => {
  asked = []
  front.failNext([])
})

/** A site with a strict policy, whose server makes an upload for each file. */
async function serveSite(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    const order = (await json(request)) as { filename: string; size_bytes: number }
    asked.push(order)
    const upload = await reelgate.uploads.create({ ...order, allowed_origin: siteUrl })
    const upload_url = front.through(upload.upload_url ?? '')
    return void response.end(JSON.stringify({ upload_url }))
  }
  const { pathname } = new URL(request.url ?? '/', siteUrl)
  const { type, body } = pages[pathname] ?? { type: 'text/plain', body: '' }
  const api = new URL(front.through(t.base)).origin
  const policy = `default-src 'none'; script-src 'self'; connect-src 'self' ${api}; img-src data:`
  response.setHeader('Content-Type', type).setHeader('Content-Security-Policy', policy).end(body)
}

/** Records the events of uploaders, which do not bubble. */
const RECORD = `window.seen = []
  for (const name of ['progress', 'complete', 'error', 'cancel'])
    document.addEventListener(name, ({ detail }) => window.seen.push({ name, ...detail }), { capture: true })`
const DEFINE = `import { defineUploader } from '../../sdk/src/uploader/element.ts'
  ${RECORD}
  defineUploader()`

async function serveScript(name: string, code: string): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: dirname(fileURLToPath(import.meta.url)) },
    bundle: true,
    write: false,
    format: 'esm',
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
  })
  pages[name] = { type: 'text/javascript', body: outputFiles[0]?.text ?? '' }
}

const open = (name: string, body: string, script = '/uploader.js'): Promise<Page> => {
  const html = `<!doctype html><html lang="en"><title>Site</title><link rel="icon" href="data:,">
    <main><h1>Your lesson</h1>${body}</main><script type="module" src="${script}"></script>`
  pages[name] = { type: 'text/html', body: html }
  return browser.open(siteUrl + name, LOOK)
}

interface Seen {
  name: string
  videoId?: string
  code?: string
  sentBytes?: number
}

const seenOf = (page: Page): Promise<Seen[]> =>
  page.evaluate(() => (window as unknown as { seen: Seen[] }).seen)

async function eventOf(page: Page, name: string): Promise<Seen> {
  await page.waitForFunction(
    (wanted) => (window as unknown as { seen: Seen[] }).seen.some((one) => one.name === wanted),
    name,
  )
  return (await seenOf(page)).find((one) => one.name === name) ?? { name }
}

const state = (page: Page, wanted: string) =>
  page.locator(`reelgate-uploader[state="${wanted}"]`).waitFor()

/** The text of what has the focus in an uploader. */
const focusedIn = (page: Page) =>
  page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent)

/** Those of the requests that the test makes fail are expected. */
const complaints = async (page: Page) =>
  (await browser.complaints(page)).filter(
    (text) => !/Failed to load resource|CORS policy/.test(text),
  )

const cut: UploadFault = { kind: 'cut', afterBytes: MIB }

describe('the uploader in a page of another origin', () => {
  it('sends a file with nothing but the address, over a cut, and is usable by keyboard and screen reader', async () => {
    const upload = await reelgate.uploads.create({
      filename: 'a.mp4',
      size_bytes: file.length,
      allowed_origin: siteUrl,
    })
    const url = front.through(upload.upload_url ?? '')
    const page = await open('/one', `<reelgate-uploader upload-url="${url}"></reelgate-uploader>`)
    await state(page, 'empty')
    // Early, because the browser learns in the background that a dialog is not to open.
    const choosing = page.waitForEvent('filechooser')
    expect(await browser.axe(page)).toEqual([])
    await page.keyboard.press('Tab')
    await expect.poll(() => focusedIn(page)).toBe('Choose a video')
    await page.keyboard.press('Enter')
    expect(await page.locator('input[type=file]').getAttribute('accept')).toBe('video/*')
    front.failNext([null, cut])
    await (await choosing).setFiles(path)
    const { videoId } = await eventOf(page, 'complete')
    expect((await readSource(t, String(videoId))).equals(file)).toBe(true)
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Uploaded')
    const bar = page.getByRole('progressbar', { name: 'Upload of Lesson 7.mp4' })
    expect(await bar.getAttribute('aria-valuenow')).toBe('100')
    const sent = (await seenOf(page)).flatMap(({ sentBytes }) => sentBytes ?? [])
    expect(sent.at(-1)).toBe(file.length)
    // The address takes no second file.
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await browser.axe(page)).toEqual([])
    expect(await complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)

  it('asks the server of the page, pauses, and continues after a reload when the same file is chosen again', async () => {
    const html = '<reelgate-uploader endpoint="/uploads"></reelgate-uploader>'
    const page = await open('/two', html)
    const lost = Array.from({ length: 30 }, () => ({ kind: 'respond', status: 503 }) as const)
    front.failNext([null, cut, ...lost])
    await page.locator('input[type=file]').setInputFiles(path)
    await state(page, 'waiting')
    await page.getByRole('button', { name: 'Pause' }).click()
    await state(page, 'paused')
    expect(await focusedIn(page)).toBe('Resume')
    expect(await browser.axe(page, 'no contrast')).toEqual([])
    const storedBytes = async () =>
      (await reelgate.uploads.list({ limit: 1 })).data[0]?.offset_bytes
    await expect.poll(storedBytes).toBe(MIB)
    front.failNext([])
    await page.reload()
    const from = front.seen.length
    await page.locator('input[type=file]').setInputFiles(path)
    const { videoId } = await eventOf(page, 'complete')
    expect((await readSource(t, String(videoId))).equals(file)).toBe(true)
    const rest = front.seen.slice(from).filter(({ method }) => method === 'PUT')
    expect(rest.map(({ bodyBytes }) => bodyBytes)).toEqual([2 * MIB])
    expect(asked).toEqual([{ filename: 'Lesson 7.mp4', size_bytes: file.length }])
    await browser.leave(page)
  }, 60_000)

  it('cancels, says why an upload failed, and begins again', async () => {
    const html = '<reelgate-uploader endpoint="/uploads"></reelgate-uploader>'
    const page = await open('/three', html)
    front.failNext(Array.from({ length: 30 }, () => ({ kind: 'respond', status: 503 }) as const))
    await page.locator('input[type=file]').setInputFiles(path)
    await state(page, 'waiting')
    front.failNext([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await eventOf(page, 'cancel')
    const statusOf = async () => (await reelgate.uploads.list({ limit: 1 })).data[0]?.status
    await expect.poll(statusOf).toBe('cancelled')
    // The server of the page makes an upload that ends before its first byte.
    await page.locator('reelgate-uploader').evaluate(async (element) => {
      Object.assign(element, {
        getUploadUrl: async () => {
          const made = await fetch('/uploads', {
            method: 'POST',
            body: '{"filename":"a","size_bytes":null}',
          })
          const { upload_url: url } = (await made.json()) as { upload_url: string }
          await fetch(url, { method: 'DELETE', headers: { 'Tus-Resumable': '1.0.0' } })
          return url
        },
      })
    })
    await page.locator('input[type=file]').setInputFiles(path)
    expect(await eventOf(page, 'error')).toMatchObject({ code: 'upload_not_found' })
    expect(await page.getByRole('status').textContent()).toBe('This upload has ended')
    await page
      .locator('reelgate-uploader')
      .evaluate((element) => void Object.assign(element, { getUploadUrl: null }))
    await page.getByRole('button', { name: 'Try again' }).click()
    expect((await eventOf(page, 'complete')).videoId).toMatch(/^[0-9a-f]{20}$/)
    expect(await complaints(page)).toEqual([])
    await browser.leave(page)
  }, 60_000)
})

const REACT = `import { createElement as h, StrictMode, useRef } from 'react'
  import { createRoot } from 'react-dom/client'
  import { ReelgateUploader } from '../../sdk/src/react.ts'
  const seen = window.seen = []
  const texts = { choose: 'Pick' }
  const Page = () => {
    const uploader = useRef(null)
    return h(ReelgateUploader, { ref: uploader, endpoint: '/uploads', texts, className: 'wide',
      onComplete: ({ detail }) => seen.push({ name: 'complete', ...detail, code: uploader.current.state }) })
  }
  createRoot(document.getElementById('app')).render(h(StrictMode, null, h(Page)))`
const VUE = `import { createApp, h, ref } from 'vue'
  import { ReelgateUploader } from '../../sdk/src/vue.ts'
  const seen = window.seen = []
  const texts = { choose: 'Pick' }
  createApp({
    setup() {
      const uploader = ref(null)
      return () => h(ReelgateUploader, { ref: uploader, endpoint: '/uploads', texts, class: 'wide',
        onComplete: ({ detail }) => seen.push({ name: 'complete', ...detail, code: uploader.value.element.state }) })
    },
  }).mount('#app')`

describe('the uploader of the client', () => {
  it.each([
    ['React', REACT],
    ['Vue', VUE],
  ])(
    'defines its element, has its texts, uploads and reports in %s',
    async (name, code) => {
      await serveScript(`/${name}.js`, code)
      const page = await open(`/${name}`, '<div id="app"></div>', `/${name}.js`)
      await page.locator('reelgate-uploader.wide').getByRole('button', { name: 'Pick' }).waitFor()
      await page.locator('input[type=file]').setInputFiles(path)
      expect(await eventOf(page, 'complete')).toMatchObject({ code: 'complete' })
      expect(await complaints(page)).toEqual([])
      await browser.leave(page)
    },
    60_000,
  )
})
