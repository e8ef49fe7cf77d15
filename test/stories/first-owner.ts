import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRuntime } from '../../processes/runtime-file.ts'
import { pinnedNode } from '../../scripts/bootstrap/tools.mjs'
import { PLAIN } from '../browser/dashboard-looks.ts'
import { openFramingSite, type FramingSite } from '../browser/framing-site.ts'
import { openWatchedBrowser, type WatchedBrowser } from '../browser/watched-browser.ts'
import type { RunningService } from '../fixtures/running-service.ts'
import { itOfAll } from '../infrastructure/every-case.ts'
import type { OutsideHost } from '../infrastructure/outside-host.ts'
import { waitFor } from '../infrastructure/wait-for.ts'
import { makeLargeVideo } from '../uploads/large-video.ts'
import { sendFromDashboard } from '../uploads/verify-uploads.ts'

const ENCODING_TIMEOUT_MS = 120_000
/** Those of the iframe that the dashboard shows. */
const ATTRIBUTES = 'allow="autoplay; fullscreen; encrypted-media"'

const SLOW_LINE = { offline: false, latency: 0, downloadThroughput: -1 }

let folder: string
let outside: OutsideHost
let service: RunningService
let browser: WatchedBrowser
let database: pg.Client
let site: FramingSite
let page: Page
let signingSecret: string
let embedAddress: string

/** A new installation, whose owner has not opened the dashboard. */
interface NewInstallation {
  service: RunningService
  /** A host with a file `lesson.mp4` and no other task. */
  outside: OutsideHost
  /** For files of the stories. */
  folder: string
}

async function open(installation: NewInstallation): Promise<void> {
  ;({ folder, outside, service } = installation)
  site = await openFramingSite()
  browser = await openWatchedBrowser()
  const runtime = await readRuntime(service.data_dir)
  database = new pg.Client({ connectionString: runtime?.databaseUrl })
  await database.connect()
}

async function close(): Promise<void> {
  await browser?.close()
  await database?.end()
  site?.close()
}

async function chooseSignIn(opened: Page, name: string, email: string): Promise<void> {
  await opened.getByLabel('Your name').fill(name)
  await opened.getByLabel('E-mail address').fill(email)
  await opened.getByLabel('Password').fill('a long enough password')
  await opened.getByRole('button', { name: 'Continue' }).click()
  await opened.waitForURL('**/accounts/**')
}

/** Saves the settings of the page. */
async function save(): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
}

/** Runs code that the dashboard shows, as a site's server would; resolves to what it prints. */
async function runSnippet(code: string): Promise<string> {
  const file = join(folder, 'sign.mjs')
  await writeFile(file, code)
  const env = { REELGATE_SIGNING_SECRET: signingSecret }
  return (await execa(pinnedNode, [file], { env })).stdout.trim()
}

const DASHBOARD = /dashboard\/server\/main/

/**
 * Kills the dashboard while a request that `act` sends writes to a table. The request waits for the table's rows,
 * so it has not done anything yet. The service starts the dashboard again on the same port.
 */
async function killDuring(table: 'account' | 'video', act: () => Promise<void>): Promise<void> {
  await database.query(`begin; select id from ${table} for update`)
  await act()
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock'`
  await waitFor('the request', async () => (await database.query(waiting)).rows.length > 0)
  const killed = await service.killChild(DASHBOARD)
  await waitFor('its end', async () => (await service.findChild(DASHBOARD)) !== killed)
  await database.query('rollback')
}

/** Waits until the page has found out by itself that the dashboard responds again. */
const untilBack = (): Promise<void> =>
  page
    .getByRole('status')
    .getByText('The dashboard is not responding.')
    .waitFor({ state: 'hidden', timeout: 60_000 })

const countChanges = async (action: string): Promise<number> =>
  (await database.query('select 1 from audit_entry where action = $1', [action])).rows.length

/** What a person does who has the output of `npm start` and reads the screen. Each step needs those before it. */
export const describeFirstOwner = (installation: () => NewInstallation): void => {
  describe('the owner of a new installation', () => {
    beforeAll(() => open(installation()), 120_000)
    afterAll(close, 60_000)

    it('opens the link that npm start printed and chooses a password', async () => {
      page = await browser.open(String(service.owner_link), PLAIN)
      await chooseSignIn(page, 'Ada', 'ada@example.com')
    }, 60_000)

    it('adds a video by link and watches it get ready', async () => {
      await page.getByRole('link', { name: 'Add video' }).first().click()
      await page.getByLabel('Link to the file').fill(`${outside.baseUrl}/files/lesson.mp4`)
      await page.getByRole('button', { name: 'Add by link' }).click()
      await page.getByRole('heading', { name: 'Lesson', exact: true }).waitFor()
      const ready = page.getByText('Ready', { exact: true }).first()
      await ready.waitFor({ timeout: ENCODING_TIMEOUT_MS })
    }, 180_000)

    it('uploads a file of 20 MB, although the API is killed and the page is loaded again meanwhile', async () => {
      const file = await makeLargeVideo(join(folder, 'second lesson.mp4'), 20_000_000)
      const keep = (isKept: boolean) => {
        const account = String(service.account_id)
        return service.cli('settings', 'set', '--account', account, `keep_original=${isKept}`)
      }
      await keep(true)
      const lesson = page.url()
      page.once('dialog', (dialog) => void dialog.accept())
      // Slow enough for both to happen before the end.
      const line = await page.context().newCDPSession(page)
      await line.send('Network.enable')
      await line.send('Network.emulateNetworkConditions', { ...SLOW_LINE, uploadThroughput: 4e6 })
      await sendFromDashboard(
        { service, file, folder, troubles: ['kill', 'reload'], line: null },
        page,
      )
      await line.detach()
      await keep(false)
      await page.goto(lesson)
    }, 180_000)

    it('opens the workflow of the video in the Web UI of Temporal, as the operator', async () => {
      const [, id] = /videos\/([0-9a-f]{20})$/.exec(page.url()) ?? []
      const link = page.getByRole('link', { name: 'Workflow', exact: true })
      const address = `${service.temporal_ui}/namespaces/default/workflows/video-${id}`
      expect(await link.getAttribute('href')).toBe(address)
      const opening = page.context().waitForEvent('page')
      await link.click()
      const opened = await opening
      await opened.getByText(`video-${id}`).first().waitFor()
      expect(await opened.evaluate('window.opener')).toBeNull()
      await opened.close()
    }, 60_000)

    it('requires viewer tokens', async () => {
      await page.getByRole('link', { name: 'Settings', exact: true }).click()
      await page.getByRole('link', { name: 'Watermark', exact: true }).click()
      for (const name of ['Show the watermark', 'Require viewer tokens'])
        await page.getByRole('switch', { name }).check({ force: true })
      await save()
      await page.getByRole('button', { name: 'Show secret' }).click()
      signingSecret = (await page.locator('section:has(#secret) code').textContent()) ?? ''
      expect(signingSecret).toMatch(/^[0-9a-f]{64}$/)
    }, 60_000)

    it('restricts the videos to the domain of a site', async () => {
      await page.getByRole('link', { name: 'Domains', exact: true }).click()
      await page.getByLabel('Allowed domains').fill(site.host)
      await save()
    }, 60_000)

    it('saves settings although the dashboard is killed in the middle, and types nothing twice', async () => {
      await page.getByRole('link', { name: 'Player', exact: true }).click()
      const accent = page.getByLabel('Accent colour', { exact: true })
      await accent.fill('#ff8800')
      const before = await countChanges('settings.update')
      const click = () => page.getByRole('button', { name: 'Save', exact: true }).click()
      await killDuring('account', click)
      await page.getByText('Your changes are still here.').waitFor()
      await untilBack()
      expect(await accent.inputValue()).toBe('#ff8800')
      await save()
      expect(await countChanges('settings.update')).toBe(before + 1)
      await page.reload()
      await accent.waitFor()
      expect(await accent.inputValue()).toBe('#ff8800')
    }, 120_000)

    itOfAll(
      'moves videos once although the dashboard is killed in the middle',
      async () => {
        await page.getByRole('link', { name: 'Videos', exact: true }).click()
        await page.getByRole('button', { name: 'New folder' }).click()
        await page.getByRole('textbox', { name: 'New folder' }).fill('Lessons')
        await page.keyboard.press('Enter')
        await page.getByRole('link', { name: 'Lessons 0' }).waitFor()
        const dialog = page.getByRole('dialog')
        await page.getByLabel('Select Lesson', { exact: true }).check()
        const before = await countChanges('video.update')
        await page.getByRole('button', { name: 'Move' }).click()
        const click = () => dialog.getByRole('option', { name: 'Lessons' }).click()
        await killDuring('video', click)
        await dialog.getByRole('alert').getByText('The dashboard is not responding.').waitFor()
        await untilBack()
        // The request is the same, and the first one could still run for a minute.
        const stillRuns = page.waitForResponse((response) => response.status() === 409)
        await click()
        await stillRuns
        await database.query('update idempotency_record set locked_until = now()')
        await dialog.waitFor({ state: 'hidden' })
        expect(await countChanges('video.update')).toBe(before + 1)
        await page.getByRole('link', { name: 'Lessons 1' }).click()
        await page.getByRole('link', { name: 'Lesson', exact: true }).waitFor()
      },
      120_000,
    )

    it('embeds the video on a page of that site, with a token signed by the code on the screen', async () => {
      await page.getByRole('link', { name: 'Videos', exact: true }).click()
      await page.getByRole('link', { name: 'Lesson', exact: true }).click()
      await page.getByRole('link', { name: 'Embed', exact: true }).click()
      await page.getByRole('tab', { name: 'JavaScript / TypeScript' }).waitFor()
      const code = (await page.getByRole('tabpanel').locator('pre').textContent()) ?? ''
      embedAddress = await runSnippet(code)
      const visitor = await page.context().newPage()
      await visitor.goto(site.framing(embedAddress, ATTRIBUTES))
      await visitor.frameLocator('iframe').locator('html[data-state]').waitFor()
      await visitor.frameLocator('iframe').locator('media-play-button.big').click()
      const position = () =>
        visitor.frames()[1]?.evaluate<number>('document.querySelector("video").currentTime')
      await waitFor('half a second of the video', async () => Number(await position()) > 0.5)
      await visitor.close()
    }, 120_000)

    it('adds a webhook and sees its delivery', async () => {
      await page.getByRole('link', { name: 'Developers', exact: true }).click()
      await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
      await page.getByRole('link', { name: 'Add endpoint' }).first().click()
      await page.getByLabel('Address').fill(`${outside.baseUrl}/hook`)
      await page.getByRole('button', { name: 'Add endpoint' }).click()
      await page.getByRole('button', { name: 'I have saved it' }).click()
      await page.getByRole('button', { name: 'Send test' }).click()
      const delivered = page.locator('h1 + span').getByText('Delivered', { exact: true })
      await delivered.waitFor({ timeout: 30_000 })
      const [, id] = /deliveries\/(\d+)/.exec(page.url()) ?? []
      const workflow = page.getByRole('link', { name: 'Workflow', exact: true })
      const workflows = `${service.temporal_ui}/namespaces/default-deliveries/workflows`
      expect(await workflow.getAttribute('href')).toBe(`${workflows}/webhook-delivery-${id}`)
      expect(outside.received.map(({ body }) => JSON.parse(body).type)).toEqual(['webhook.test'])
    }, 60_000)

    it('replaces the signing secret, and the former tokens are refused', async () => {
      await page.getByRole('link', { name: 'Settings', exact: true }).click()
      await page.getByRole('link', { name: 'Watermark', exact: true }).click()
      await page.getByRole('button', { name: 'Replace secret' }).click()
      const dialog = page.getByRole('dialog')
      const label = await dialog.locator('form label').first().textContent()
      const [, word = ''] = /^Type (.+) to confirm$/.exec(label ?? '') ?? []
      await dialog.getByRole('textbox').fill(word)
      await dialog.getByRole('button', { name: 'Replace secret' }).click()
      await page.getByText('The secret was replaced.').waitFor()
      const response = await fetch(embedAddress, { headers: { Referer: `http://${site.host}/` } })
      expect(response.status).toBe(403)
    }, 60_000)

    it('invites a colleague, who sees the videos', async () => {
      await page.getByRole('link', { name: 'Team', exact: true }).click()
      await page.getByRole('link', { name: 'Invite' }).click()
      await page.getByRole('button', { name: 'Create link' }).click()
      const link = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
      const colleague = await browser.open(link, PLAIN)
      await chooseSignIn(colleague, 'Grace', 'grace@example.com')
      await colleague.getByRole('link', { name: 'Videos', exact: true }).click()
      await colleague.getByRole('link', { name: 'Lesson', exact: true }).click()
      await colleague.getByRole('heading', { name: 'Facts' }).waitFor()
      expect(await colleague.getByRole('link', { name: 'Workflow' }).count()).toBe(0)
      expect(await browser.complaints(colleague)).toEqual([])
      await colleague.context().close()
      await page.getByRole('button', { name: 'I have saved it' }).click()
    }, 60_000)

    it('has every first step ticked, and has seen no error and no violation of the policy', async () => {
      await page.getByRole('link', { name: 'Overview', exact: true }).click()
      await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'hidden' })
      // Two of the requests met no server.
      const complaints = await browser.complaints(page)
      expect(complaints.filter((text) => !/net::ERR_|status of 409/.test(text))).toEqual([])
    }, 60_000)
  })
}
