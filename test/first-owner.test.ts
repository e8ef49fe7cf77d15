import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { startService } from './fixtures/running-service.ts'
import type { RunningService } from './fixtures/running-service.ts'
import { makeSource } from './fixtures/sources.ts'
import { openOutsideHost } from './infrastructure/outside-host.ts'
import type { OutsideHost } from './infrastructure/outside-host.ts'
import { PLAIN } from './browser/dashboard-looks.ts'
import { openWatchedBrowser } from './browser/watched-browser.ts'
import type { WatchedBrowser } from './browser/watched-browser.ts'

const ENCODING_TIMEOUT_MS = 120_000

let folder: string
let outside: OutsideHost
let service: RunningService
let browser: WatchedBrowser
let page: Page

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelgate-first-owner-'))
  const source = join(folder, 'lesson.mp4')
  await makeSource(source, { seconds: 4, size: '426x240' })
  outside = await openOutsideHost(folder, { 'lesson.mp4': source })
  const settings = { EGRESS_CA_FILE: outside.caFile }
  ;[service, browser] = await Promise.all([
    startService(join(folder, 'data'), settings),
    openWatchedBrowser(),
  ])
}, 240_000)

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await outside?.close()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

/** What a person does who has the output of `npm start` and reads the screen. Each step needs those before it. */
describe('the owner of a new installation', () => {
  it('opens the link that npm start printed and chooses a password', async () => {
    page = await browser.open(String(service.owner_link), PLAIN)
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByLabel('Password').fill('a long enough password')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/accounts/**')
  }, 60_000)

  it('adds a video by link and watches it get ready', async () => {
    await page.getByRole('link', { name: 'Add video' }).first().click()
    await page.getByLabel('Link to the file').fill(`${outside.baseUrl}/files/lesson.mp4`)
    await page.getByRole('button', { name: 'Add video' }).click()
    await page.getByRole('heading', { name: 'lesson.mp4' }).waitFor()
    const ready = page.getByText('Ready', { exact: true }).first()
    await ready.waitFor({ timeout: ENCODING_TIMEOUT_MS })
  }, 180_000)

  it('has seen no error and no violation of the policy', async () => {
    expect(await browser.complaints(page)).toEqual([])
  })
})
