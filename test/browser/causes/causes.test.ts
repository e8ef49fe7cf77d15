import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { decodeFailureCode } from '../../../domain/playback-reports/failure-code.ts'
import { PLAYBACK_CAUSES } from '../../../domain/playback-reports/playback-causes.ts'
import { cliHarness } from '../../fixtures/cli.ts'
import { cookieName } from '../../fixtures/dashboard.ts'
import { waitFor } from '../../infrastructure/wait-for.ts'
import { PREPARED_WITHIN_MS } from '../embedded-player.ts'
import type { CauseRow } from './cause-row.ts'
import { APP_CAUSES } from './causes-of-apps.ts'
import { DRM_CAUSES } from './causes-of-drm.ts'
import { PAGE_CAUSES } from './causes-of-pages.ts'
import { PLAYER_CAUSES_OF_ALL } from './causes-of-players.ts'
import { openStage, type Stage } from './stage.ts'

const IN_CHROMIUM = [...PAGE_CAUSES, ...PLAYER_CAUSES_OF_ALL, ...DRM_CAUSES]
const ROWS = [...IN_CHROMIUM, ...APP_CAUSES]

/** The first row of each setting. */
const FOLLOWED = new Set(
  [...new Set(ROWS.map(({ setting }) => setting))].map((one) =>
    ROWS.find(({ setting }) => setting === one),
  ),
)

let stage: Stage & { close: () => Promise<void> }
let member: Page

beforeAll(async () => {
  stage = await openStage()
  member = await signIn()
}, PREPARED_WITHIN_MS)
afterAll(() => stage?.close())
afterEach(() => stage.reset())

/** Looks a code up as a reader of the account does, once its report is kept. */
const lookUp = (code: string, isKept: boolean) =>
  waitFor('the report', async () => {
    const { status, json } = await stage.dashboard.call(
      'reader',
      'GET',
      `/v1/playback-reports/${code}`,
    )
    if (status !== 200) throw new Error(JSON.stringify(json))
    return json.is_stored === isKept ? json : null
  })

async function signIn(): Promise<Page> {
  const { dashboardBase: url, startSession, members } = stage.dashboard
  const context = await stage.player.browser.newContext({ locale: 'en' })
  const value = await startSession(members.owner.id)
  await context.addCookies([{ name: cookieName(url), value, url }])
  return context.newPage()
}

const foundSchema = z.object({
  message: z.string(),
  next_step: z.string(),
  setting_path: z.string().nullable(),
})
type Found = z.infer<typeof foundSchema>

/** Types a code into the page of the dashboard, and goes where it leads. */
async function followInDashboard(code: string, found: Found): Promise<void> {
  const base = `${stage.dashboard.dashboardBase}/accounts/${stage.accountId}`
  await member.goto(`${base}/security/why`)
  await member.getByLabel('Code').fill(code.toLowerCase())
  await member.getByLabel('Code').press('Enter')
  // The dashboard writes the system in brackets.
  const message = found.message.replace(/ on (Linux|Windows)/, ' ($1)')
  await member.getByRole('heading', { name: message, exact: true }).waitFor()
  await member.getByText(found.next_step, { exact: true }).waitFor()
  const link = member.locator('main a', { hasText: /^Open / })
  if (found.setting_path === null) return expect(await link.count()).toBe(0)
  await link.click()
  await member.waitForURL(({ pathname }) => `${pathname}/`.startsWith(pathOf(found, base)))
  await member.locator('h1').waitFor()
}

const pathOf = ({ setting_path: path }: Found, base: string): string =>
  `${new URL(`${base}/${path}`).pathname}/`

/** Looks a code up on the command line. */
async function followInTerminal(code: string, found: Found): Promise<void> {
  const reelgate = cliHarness({ DATABASE_URL: stage.player.prepared.url })
  const { stdout } = await reelgate('why', code)
  for (const text of [found.message, found.next_step, found.setting_path ?? ''])
    expect(stdout).toContain(text)
}

const VIDEOS = {
  'the video': () => stage.videoId,
  'the protected video': () => stage.protectedId,
  deleted: () => stage.videoId,
}

/** What `GET /v1/playback-reports/{code}` responds to the code of a row. */
function expected({ cause, message, next, setting, report }: CauseRow) {
  const videoId = report?.video ? VIDEOS[report.video]() : null
  return {
    object: 'playback_report',
    cause,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
    next_step: next,
    setting_path: setting?.replace('{video}', videoId ?? '') ?? null,
    is_stored: report !== null,
    video_id: videoId,
    video_title: report?.video === 'deleted' || videoId === null ? null : expect.any(String),
    viewer_id: report?.viewer ?? null,
    host: report?.host ?? null,
  }
}

const nameOf = ({ cause, how }: CauseRow): string =>
  how === undefined ? cause : `${cause}: ${how}`
const named = ROWS.map((row) => [nameOf(row), row] as const)

describe('the table of causes', () => {
  it('has every cause, all but those of the mobile app in Chromium, and each row once', () => {
    const causesOf = (rows: CauseRow[]) => new Set(rows.map(({ cause }) => cause))
    const all = Object.keys(PLAYBACK_CAUSES)
    expect([...causesOf(ROWS)].toSorted()).toEqual(all.toSorted())
    expect(causesOf(IN_CHROMIUM).size).toBe(all.length - APP_CAUSES.length)
    expect(new Set(ROWS.map(nameOf)).size).toBe(ROWS.length)
  })
})

describe('a video that does not play', () => {
  it.each(named)(
    'says why, with a code that leads to the sentence, the next step and the setting: %s',
    async (_name, row) => {
      const { sentence, code } = await row.produce(stage)
      expect(sentence).toBe(row.shown)
      const minutes = [0, 1].map((ago) => Math.floor(Date.now() / 60_000 - ago) * 60_000)
      const said = decodeFailureCode(code)
      expect(said).toMatchObject({ code, cause: row.cause })
      expect(minutes).toContain(said?.atMs)
      const found = await lookUp(code, row.report !== null)
      expect(found).toMatchObject({ code, ...expected(row) })
      if (!FOLLOWED.has(row)) return
      await followInDashboard(code, foundSchema.parse(found))
      await followInTerminal(code, foundSchema.parse(found))
    },
    90_000,
  )
})
