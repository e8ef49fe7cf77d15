import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { startService, type RunningService } from '../fixtures/running-service.ts'
import { makeSource } from '../fixtures/sources.ts'
import { itOfAll } from '../infrastructure/every-case.ts'
import { openOutsideHost, type OutsideHost } from '../infrastructure/outside-host.ts'
import { headlessChromiumPath } from '../infrastructure/services.ts'
import { waitFor } from '../infrastructure/wait-for.ts'

/** An encoder has the lowest priority, so it waits for all other processes of the machine. */
const READY_MS = 400_000
/** Polls a page five times a second: what the test waits for takes many seconds. */
const SELDOM = { polling: 200, timeout: READY_MS }
/** Several chunks. */
const VIDEO_SECONDS = 72

let folder: string
let outside: OutsideHost
let service: RunningService
let browser: Browser

interface Status {
  status: string
  duration: number | null
  progress: { watchable_seconds: number | null } | null
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-watch-'))
  const video = join(folder, 'film.mp4')
  await makeSource(video, { seconds: VIDEO_SECONDS, size: '640x360', rate: 12, grain: false })
  outside = await openOutsideHost(folder, { 'film.mp4': video })
  service = await startService(join(folder, 'data'), { EGRESS_CA_FILE: outside.caFile })
  browser = await chromium.launch({
    executablePath: await headlessChromiumPath(),
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  })
}, 240_000)

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await outside?.close()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

const readStatus = async (id: string): Promise<Status> =>
  (await (await service.request('GET', `/v1/videos/${id}/status`)).json()) as Status

/** Plays twice as fast, and notes where the picture goes on otherwise than by playing. */
const watchJumps = (page: Page): Promise<unknown> =>
  page.addInitScript({
    content: `
    window.jumps = []
    let last = null
    addEventListener('playing', ({ target }) => (target.playbackRate = 2), true)
    addEventListener('timeupdate', ({ target }) => {
      // A rung that joins loads the video again, which is at 0 until it has data.
      if (target.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return
      const now = { at: performance.now() / 1000, position: target.currentTime }
      const played = last && (now.at - last.at) * Math.max(1, target.playbackRate)
      if (last && Math.abs(now.position - last.position) > played + 0.5) window.jumps.push([last, now])
      last = now
    }, true)
    addEventListener('ended', ({ target }) => (window.endedAt = target.currentTime), true)`,
  })

describe('a video that is watched while it is encoded', () => {
  itOfAll(
    'plays before its first rung is complete, through a kill of its worker, to its end without a skip',
    async () => {
      const source_url = `${outside.baseUrl}/files/film.mp4`
      const created = await service.request('POST', '/v1/videos', { source_url })
      const { id, embed_url } = (await created.json()) as { id: string; embed_url: string }
      const page = await browser.newPage({ viewport: { width: 320, height: 180 } })
      await watchJumps(page)
      await page.goto(`${embed_url}?autoplay=1&muted=1`, { referer: 'https://site.example/' })
      await page.waitForFunction(
        () => (document.querySelector('video')?.currentTime ?? 0) > 0.5,
        null,
        SELDOM,
      )
      const early = await readStatus(id)
      expect(early.status).toBe('processing')
      expect(early.progress?.watchable_seconds).toBeGreaterThan(0)
      await service.killChild(/worker\.ts/)
      expect((await readStatus(id)).status).toBe('processing')

      // A function: the policy of the page forbids text.
      await page.waitForFunction(() => 'endedAt' in window, null, SELDOM)
      expect(await page.evaluate<number>('window.endedAt')).toBeCloseTo(VIDEO_SECONDS, 0)
      expect(await page.evaluate<unknown[]>('window.jumps')).toEqual([])
      expect(await page.evaluate(() => document.documentElement.dataset.error)).toBeUndefined()
      await page.close()
      const ready = async () => (await readStatus(id)).status === 'ready' && readStatus(id)
      const whole = await waitFor('the whole ladder', ready, READY_MS)
      expect(whole.duration).toBeCloseTo(VIDEO_SECONDS, 0)
      expect(whole.progress?.watchable_seconds).toBeNull()
    },
    3 * READY_MS,
  )
})
