import assert from 'node:assert/strict'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { digestFile } from '../../cli/backup/hash.ts'
import { callJson } from '../fixtures/call-json.ts'
import { startService, type RunningService } from '../fixtures/running-service.ts'
import { headlessChromiumPath } from '../infrastructure/services.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { openCutLine, type CutLine } from './cut-line.ts'
import { openEndUserPage } from './end-user-page.ts'
import { makeLargeVideo, type LargeVideo } from './large-video.ts'
import { startCaddy, startNginx, type FrontProxy } from './proxies.ts'

const HOST = 'uploads.localhost'
const CUT_MS = 3_000
const SENT_MS = 30 * 60_000
const READY_MS = 10 * 60_000
const API = /api\/server\.ts/

/** What happens to an upload, one after the other while it is sent. */
export type Trouble = 'cut' | 'kill' | 'reload'

export interface UploadsPlan {
  sizeBytes: number
  troubles: Trouble[]
  held: (check: string) => void
}

/** A file, and the installation to which it is sent. */
export interface Sending {
  service: RunningService
  file: LargeVideo
  /** For files. */
  folder: string
  troubles: Trouble[]
  /** Null if none of the troubles is a cut. */
  line: CutLine | null
}

interface Setting extends Sending {
  browser: Browser
  held: (check: string) => void
}

/**
 * Sends a large file from the dashboard and from a page of another site, through Caddy and through nginx, while the network is cut, the API is
 * killed and the page is loaded again. Calls `held` for each check that holds; throws at the first that does not.
 */
export async function verifyUploads(
  folder: string,
  { sizeBytes, troubles, held }: UploadsPlan,
): Promise<void> {
  const line = await openCutLine()
  const env = { UPLOADS_BASE_URL: `https://${HOST}:${line.port}`, LOG_LEVEL: 'warn' }
  const service = await startService(join(folder, 'data'), env)
  const browser = await chromium.launch({ executablePath: await headlessChromiumPath() })
  try {
    const file = await makeLargeVideo(join(folder, 'large lesson.mp4'), sizeBytes)
    await service.cli(
      'settings',
      'set',
      '--account',
      String(service.account_id),
      'keep_original=true',
    )
    const setting = { service, line, browser, file, folder, troubles, held }
    const front = { folder, host: HOST, apiPort: Number(new URL(service.api).port) }
    const page = await openOwnersPage(setting)
    for (const start of [startCaddy, startNginx]) {
      const proxy = await start(front)
      line.leadTo(proxy.port)
      await sendFromDashboard(setting, page)
      held(`the dashboard sends it through ${proxy.name}: ${troubles.join(', ')}`)
      await sendFromSite(setting, proxy)
      await proxy.stop()
    }
  } finally {
    await browser.close()
    await service.stop()
    await line.close()
  }
}

/** Opens the dashboard by the link that the installation printed, as its first owner. */
async function openOwnersPage({ service, browser }: Setting): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  const page = await context.newPage()
  await page.goto(String(service.owner_link))
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/accounts/**')
  // The page asks before it is left while files are sent.
  page.on('dialog', (dialog) => void dialog.accept())
  return page
}

/**
 * Chooses the file in the dashboard of a page that has an account open, and lets the troubles happen. Resolves when the video is ready, and
 * throws if its source is not the file.
 */
export async function sendFromDashboard(sending: Sending, page: Page): Promise<void> {
  const { service, file } = sending
  await page.goto(`${service.dashboard}/accounts/${service.account_id}/videos/add`)
  await page.locator('[data-files]').setInputFiles(file.path)
  const id = await newestUpload(service)
  await trouble(sending, id, async () => {
    await page.reload()
    const row = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem')
    await row.locator('input').first().setInputFiles(file.path)
  })
  await expectVideo(sending, id)
}

/** A page of another site, which has nothing but the address of the upload. */
async function sendFromSite(setting: Setting, { name }: FrontProxy): Promise<void> {
  const { service, browser, file, held } = setting
  const site = await openEndUserPage()
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  try {
    const order = { filename: 'lesson.mp4', size_bytes: file.sizeBytes }
    const body = { ...order, allowed_origin: site.origin, keep_original: true }
    const { id, upload_url: url } = await callJson<Upload>(service, 'POST', '/v1/uploads', body)
    const page = await context.newPage()
    const choose = async (): Promise<void> => {
      await page.goto(site.addressFor(String(url)))
      await page.reload()
      await page.locator('input').setInputFiles(file.path)
    }
    await choose()
    await trouble(setting, id, choose)
    await page.waitForFunction('/^(sent|failed)/.test(document.title)', null, {
      timeout: SENT_MS,
    })
    assert.match(await page.title(), /^sent /)
    await expectVideo(setting, id)
    held(`a page of another site sends it through ${name}, with the address alone`)
  } finally {
    await context.close()
    await site.close()
  }
}

/** Lets each trouble of the plan happen once, when the next part of the file is stored. */
async function trouble(
  { service, line, file, troubles }: Sending,
  id: number,
  reload: () => Promise<void>,
): Promise<void> {
  for (const [at, kind] of troubles.entries()) {
    const bytes = ((at + 1) * file.sizeBytes) / (troubles.length + 1)
    await waitFor(
      `byte ${bytes} of the upload`,
      async () => (await readUpload(service, id)).offset_bytes >= bytes,
      SENT_MS,
    )
    if (kind === 'cut') await line?.cut(CUT_MS)
    else if (kind === 'kill') await service.killChild(API)
    else await reload()
  }
}

/** Waits until the video of an upload is ready, and compares its source with the file. */
async function expectVideo({ service, file, folder }: Sending, id: number): Promise<void> {
  const videoId = await waitFor(
    'the end of the upload',
    async () => (await readUpload(service, id)).video_id,
    SENT_MS,
  )
  await waitFor(
    'the video',
    async () => {
      const path = `/v1/videos/${videoId}/status`
      const { status } = await callJson<{ status: string }>(service, 'GET', path)
      assert.notEqual(status, 'failed')
      return status === 'ready'
    },
    READY_MS,
  )
  const original = join(folder, `${videoId}.mp4`)
  await service.cli('videos', 'original', videoId, '--output', original)
  assert.equal((await digestFile(original)).sha256, file.sha256)
  await callJson(service, 'DELETE', `/v1/videos/${videoId}`)
}

interface Upload {
  id: number
  status: string
  offset_bytes: number
  upload_url: string | null
  video_id: string | null
}

/** The API may have been killed a moment ago. */
const readUpload = (service: RunningService, id: number): Promise<Upload> =>
  waitFor('the API', () => callJson<Upload>(service, 'GET', `/v1/uploads/${id}`).catch(() => null))

const newestUpload = (service: RunningService): Promise<number> =>
  waitFor('the upload', async () => {
    const path = '/v1/uploads?limit=1'
    const [newest] = (await callJson<{ data: Upload[] }>(service, 'GET', path)).data
    return newest?.status === 'uploading' || newest?.status === 'waiting' ? newest.id : null
  })
