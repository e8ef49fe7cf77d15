import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { createInvitation } from '../../../commands/members/invitations.ts'
import { PASSWORD, type DashboardFixture } from '../../fixtures/dashboard.ts'
import { OWNER, type ShownAccounts } from './accounts.ts'
import { STATES, type State } from './choose-pictures.ts'
import { SHOWN_VIDEO } from './rows/videos.ts'
import { SHOWN_VIEWER } from './rows/watched.ts'

/** What the pages are shown with. */
export interface Studio {
  t: DashboardFixture
  accounts: ShownAccounts
  posters: readonly Buffer[]
}

/** A page of the contact sheets. */
export interface ShownPage {
  name: string
  states: readonly State[]
  /** False for the pages before the sign-in. */
  isSignedIn: boolean
  /** Path and search of the requests that fail, or never end, in the states of that name. */
  own: RegExp
  /** Leads to the page in a state. The service holds or fails its own requests already. */
  visit: (page: Page, studio: Studio, state: State) => Promise<void>
}

const accountOf = ({ accounts }: Studio, state: State): number =>
  state === 'empty' ? accounts.empty : state === 'one' ? accounts.one : accounts.many

/** A page of an account; `pathOf` returns its path below the address of the account. */
const inAccount = (
  name: string,
  own: RegExp,
  pathOf: (studio: Studio, state: State) => string,
): ShownPage => ({
  name,
  states: STATES,
  isSignedIn: true,
  own,
  async visit(page, studio, state) {
    const account = accountOf(studio, state)
    await page.goto(
      `${studio.t.dashboardBase}/accounts/${account}${pathOf(studio, state)}`,
      NOT_WHOLE,
    )
  },
})

/** Pages of the state `loading` never have all that they load. */
const NOT_WHOLE = { waitUntil: 'domcontentloaded' } as const

/** A video that has just been added, one that is being encoded, and one that is ready with all its parts. */
function videoPath({ accounts: { videos, oneVideo } }: Studio, state: State): string {
  const waiting = videos.get('IMG_2041.MOV')
  const ready = videos.get(SHOWN_VIDEO)
  if (state === 'one') return `/videos/${oneVideo}`
  return `/videos/${state === 'empty' ? waiting : ready}`
}

/** That of the waiting video is in the account with many. */
const video: ShownPage = {
  ...inAccount('video', /\/v1\/videos\/[0-9a-f]{20}$/, videoPath),
  async visit(page, studio, state) {
    const account = state === 'one' ? studio.accounts.one : studio.accounts.many
    const path = videoPath(studio, state)
    await page.goto(`${studio.t.dashboardBase}/accounts/${account}${path}`, NOT_WHOLE)
  },
}

/** That of the same videos, with the curve and the viewers. */
const audienceOfVideo: ShownPage = {
  ...video,
  name: 'video-audience',
  own: /\/v1\/audience\?/,
  async visit(page, studio, state) {
    const account = state === 'one' ? studio.accounts.one : studio.accounts.many
    const path = `${videoPath(studio, state)}/audience`
    await page.goto(`${studio.t.dashboardBase}/accounts/${account}${path}`, NOT_WHOLE)
  },
}

const signIn: ShownPage = {
  name: 'sign-in',
  states: ['empty', 'error'],
  isSignedIn: false,
  own: /^$/,
  async visit(page, { t }, state) {
    // One person would have to wait after so many wrong passwords.
    await t.execute('delete from sign_in_guess')
    await page.goto(`${t.dashboardBase}/sign-in`)
    if (state !== 'error') return
    await page.locator('[name=email]').fill(OWNER.email)
    await page.locator('[name=password]').fill(PASSWORD.toUpperCase())
    await page.locator('form button:not([type=button])').first().click()
    await page.locator('[role=alert]').first().waitFor()
  },
}

const INVITED = 'noor@school.example'

/** The link of an invitation: one that can be used, or an incomplete one. */
async function openLink(page: Page, studio: Studio, state: State): Promise<void> {
  const { t, accounts } = studio
  await t.execute('delete from sign_in_guess')
  const by = { kind: 'member', id: 1, name: OWNER.name } as const
  const invitation = { accountId: accounts.many, role: 'editor', by } as const
  const { token } = await createInvitation(t.em(), { ...invitation, email: INVITED })
  const link = state === 'error' ? 'A'.repeat(43) : token
  const read = page.waitForResponse(/\/welcome\/invitation$/).catch(() => null)
  await page.goto(`${t.dashboardBase}/welcome${state === 'empty' ? '' : `#${link}`}`)
  if (state === 'one' || state === 'error') await read
}

const welcome: ShownPage = {
  name: 'welcome',
  states: ['one', 'empty', 'error', 'loading'],
  isSignedIn: false,
  own: /^\/welcome\/invitation$/,
  visit: openLink,
}

/** For a person who is signed in with another account already. */
const invitation: ShownPage = {
  ...welcome,
  name: 'invitation',
  states: ['one', 'error', 'loading'],
  async visit(page, studio, state) {
    const { t } = studio
    const { id } = await t.insertMember(`${randomUUID()}@school.example`, 'reader', t.accountId)
    await t.execute('update member set email = ? where email = ?', [randomUUID(), INVITED])
    await t.execute('update member set email = ? where id = ?', [INVITED, id])
    const cookie = { name: studio.accounts.cookie.name, value: await t.startSession(id) }
    await page.context().addCookies([{ ...cookie, url: t.dashboardBase }])
    await openLink(page, studio, state)
  },
}

export const SHOWN_PAGES: readonly ShownPage[] = [
  inAccount('overview', /\/overview$/, () => ''),
  inAccount('videos', /\/videos\?/, () => '/videos'),
  video,
  signIn,
  welcome,
  invitation,
  inAccount('audience', /\/v1\/audience\?/, () => '/audience'),
  audienceOfVideo,
  inAccount(
    'viewer',
    /\/v1\/viewers\?/,
    (_, state) =>
      `/audience/viewer?id=${state === 'many' ? encodeURIComponent(SHOWN_VIEWER) : 'newcomer'}`,
  ),
  inAccount('settings', /\/settings$/, () => '/settings/player'),
  inAccount('developers', /\/v1\/webhook-endpoints/, () => '/developers/webhooks'),
  inAccount('security', /\/security-events\?/, () => '/security/events'),
  inAccount('usage', /\/v1\/usage/, () => '/usage'),
  inAccount('team', /\/members\?/, () => '/team'),
  inAccount('audit', /\/audit\?/, () => '/audit'),
]
