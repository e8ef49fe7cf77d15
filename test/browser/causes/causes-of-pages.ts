import type { Page } from 'playwright-core'
import { openDatabase } from '../../../db/database.ts'
import { comeTo, REFUSAL_PAGES } from '../../fixtures/refusal-pages.ts'
import { EDGE, pretendEme, WORLDS } from '../fake-eme.ts'
import type { CauseRow, Known, Shown } from './cause-row.ts'
import { readPage } from './read-shown.ts'
import { HOST, type Stage } from './stage.ts'

/** Opens a page of `REFUSAL_PAGES` in an iframe of the site. */
const refuse =
  (name: string): CauseRow['produce'] =>
  async (stage) => {
    const kind = REFUSAL_PAGES.find((one) => one.name === name)
    if (!kind) throw new Error(`no page ${name}`)
    const { isUnreferred = false, userAgent } = kind
    const src = await comeTo(kind, stage, HOST)
    const frame = await stage.frame(src, {
      ...(userAgent !== undefined && { context: { userAgent } }),
      change: (html) =>
        isUnreferred
          ? html.replace(/referrerpolicy="[^"]*"/, 'referrerpolicy="no-referrer"')
          : html,
    })
    return readPage(frame)
  }

const KNOWN: Known = { video: 'the video', viewer: null, host: HOST }
const ANN: Known = { ...KNOWN, viewer: 'ann' }
const FRESH_TOKEN =
  'Let your server create a viewer token for each page view, and use the embed_url of its response.'

/** Opens a protected video in an Edge whose DRM is of software only, which App-Only mode refuses. */
async function openWithoutHardware(
  stage: Stage,
  before?: (page: Page) => Promise<unknown>,
): Promise<Shown> {
  await stage.configure({ app_only_l3: true })
  const systems = { widevine: ['SW_SECURE_DECODE', 'SW_SECURE_CRYPTO'] }
  const page = await stage.watch({
    videoId: stage.protectedId,
    context: { userAgent: EDGE },
    async before(opened) {
      await before?.(opened)
      await pretendEme(opened, { ...WORLDS.playready, systems })
    },
  })
  await page.waitForURL(/hardware=none/)
  return readPage(page)
}

/** What the player host shows instead of a player. */
export const PAGE_CAUSES: CauseRow[] = [
  {
    cause: 'malformed',
    produce: refuse('malformed'),
    shown: 'This address is incomplete',
    message: 'The address of the player is incomplete or was changed: it leads to no video.',
    next: 'Copy the embed code of the video again, unchanged.',
    setting: 'videos',
    // No account could look it up.
    report: null,
  },
  {
    cause: 'not_found',
    produce: refuse('not-found'),
    shown: 'Video not found',
    message: 'The video does not exist in the account that the address names, or it was deleted.',
    next: 'Compare the address with the embed code of the video, and remove the player of a deleted video from the page.',
    setting: 'videos',
    report: { ...KNOWN, video: 'deleted' },
  },
  {
    cause: 'direct_play_not_found',
    async produce(stage) {
      const directPlayBase = stage.base.replace('127.0.0.1', 'watch.localhost')
      await stage.restart({ directPlayBase })
      const page = await stage.blank()
      await page.goto(directPlayBase + stage.embedPath)
      return readPage(page)
    },
    shown: 'Video not found',
    message: 'The Direct Play page does not exist: Direct Play is off, or there is no such video.',
    next: 'Switch on Direct Play if links to videos are to work without a website.',
    setting: 'settings/protection',
    report: { ...KNOWN, host: 'watch.localhost' },
  },
  {
    cause: 'rate_limited',
    produce: refuse('too-many'),
    shown: 'Too many requests',
    message:
      'The network of the viewer sent too many requests that were refused, such as pages without a valid viewer token.',
    next: FRESH_TOKEN,
    setting: 'developers',
    report: KNOWN,
  },
  {
    cause: 'internal_error',
    produce: refuse('broken'),
    shown: 'Something went wrong',
    message: 'The player host had an internal error.',
    next: 'Ask the operator to search the log of the player host for this minute.',
    setting: null,
    report: KNOWN,
  },
  {
    cause: 'service_unavailable',
    how: 'PostgreSQL is away',
    async produce(stage) {
      const db = await openDatabase({ url: 'postgres://nothing@127.0.0.1:1/nothing' })
      stage.defer(() => db.close(true))
      await stage.restart({ db })
      return readPage(await stage.frame(stage.base + stage.embedPath))
    },
    shown: 'Something went wrong',
    message: 'The player host could not reach its database or its storage for a moment.',
    next: 'Ask the operator to look at the health of PostgreSQL and of the storage at this minute.',
    setting: null,
    report: null,
  },
  {
    cause: 'video_failed',
    produce: refuse('failed'),
    shown: 'This video cannot be played',
    message: 'The video could not be processed, so there is nothing to play.',
    next: 'Open the video: its page says why it failed. Then create it again.',
    setting: 'videos/{video}',
    report: KNOWN,
  },
  {
    cause: 'no_referrer',
    produce: refuse('no-referrer'),
    shown: 'This video only plays inside a website',
    message:
      'The browser did not say which site the video is on, so no domain rule could allow it.',
    next: 'Send the page without "Referrer-Policy: no-referrer", and use the embed code of the video, whose iframe has a referrerpolicy.',
    setting: 'videos/{video}/embed',
    report: { ...KNOWN, host: null },
  },
  {
    cause: 'domain_blocked',
    produce: refuse('domain-blocked'),
    shown: 'This video is not available on this site',
    message: `The list of blocked domains refuses ${HOST}.`,
    next: `Remove ${HOST} from the blocked domains if it may show your videos.`,
    setting: 'settings/domains',
    report: KNOWN,
  },
  {
    cause: 'domain_not_allowed',
    produce: refuse('domain-not-allowed'),
    shown: 'This video is not available on this site',
    message: `${HOST} is not in the list of allowed domains.`,
    next: `Add ${HOST} to the allowed domains.`,
    setting: 'settings/domains',
    report: KNOWN,
  },
  {
    cause: 'token_missing',
    produce: refuse('token-missing'),
    shown: 'Please open this video on its website',
    message: 'The account requires viewer tokens, and the address of the player had none.',
    next: FRESH_TOKEN,
    setting: 'developers',
    report: KNOWN,
  },
  {
    cause: 'token_expired',
    produce: refuse('token-expired'),
    shown: 'This link has expired',
    message: /^The viewer token expired \d+ s before the player was loaded\.$/,
    next: 'Your page is probably cached, or was open for a long time: create a token for each page view, and send the page with "Cache-Control: no-store".',
    setting: 'developers',
    report: KNOWN,
  },
  {
    cause: 'token_forged',
    produce: refuse('token-forged'),
    shown: 'This link is not valid',
    message:
      'The viewer token is not genuine: it was changed on the way, or signed with another secret.',
    next: 'Compare the signing secret of your server with that of the account: it may be the one from before a rotation.',
    setting: 'settings/watermark',
    report: KNOWN,
  },
  {
    cause: 'exp_in_milliseconds',
    produce: refuse('token-in-milliseconds'),
    shown: 'This link is not valid',
    message: 'The viewer token is genuine, but its exp is a time in milliseconds.',
    next: 'Write exp as Unix time in seconds where your server signs tokens.',
    setting: 'developers',
    report: KNOWN,
  },
  {
    cause: 'viewer_revoked',
    how: 'before the page is loaded',
    produce: refuse('viewer-revoked'),
    shown: 'Your access has ended',
    message: 'The viewer eve was revoked: all tokens of this viewer are refused.',
    next: 'Restore eve if this was a mistake.',
    setting: 'security/viewers',
    report: { ...KNOWN, viewer: 'eve' },
  },
  {
    cause: 'open_app',
    produce: refuse('open-app'),
    shown: 'This video plays in the app',
    message: 'App-Only mode is on, and on Android the video plays in the app only.',
    next: 'Ask the viewer to open the video in the app, or switch App-Only mode off.',
    setting: 'settings/protection',
    report: ANN,
  },
  {
    cause: 'open_edge',
    produce: refuse('open-edge'),
    shown: 'Please open this page in Microsoft Edge',
    message:
      'App-Only mode is on, and this was Chrome on Windows: on Windows the video plays in Edge only.',
    next: 'Ask the viewer to open the page in Edge, or switch App-Only mode off.',
    setting: 'settings/protection',
    report: KNOWN,
  },
  {
    cause: 'open_safari',
    produce: refuse('open-safari'),
    shown: 'Please open this page in Safari',
    message:
      'App-Only mode is on, and this was Chrome on macOS: on Apple devices the video plays in Safari only.',
    next: 'Ask the viewer to open the page in Safari, or switch App-Only mode off.',
    setting: 'settings/protection',
    report: KNOWN,
  },
  {
    cause: 'guidance',
    produce: refuse('guidance'),
    shown: 'This device cannot play this video',
    message: 'App-Only mode is on, and Chrome on Linux has no hardware DRM.',
    next: 'Ask the viewer to use the Android app, Edge on Windows or Safari on an Apple device, or switch App-Only mode off.',
    setting: 'settings/protection',
    report: KNOWN,
  },
  {
    cause: 'no_hardware',
    produce: (stage) => openWithoutHardware(stage),
    shown: 'Hardware protection is missing',
    message: 'App-Only mode is on, and Edge on Windows has no hardware DRM on this device.',
    next: 'Ask the viewer to update the system and to switch on hardware acceleration, or to use another device.',
    setting: 'settings/protection',
    report: { ...ANN, video: 'the protected video' },
  },
  {
    cause: 'settings_changed',
    produce: (stage) =>
      openWithoutHardware(stage, (page) =>
        page.route(/hardware=none/, async (route) => {
          await stage.configure({})
          await route.continue()
        }),
      ),
    shown: 'The settings of this video have changed',
    message: 'The settings of the video changed after the page of the viewer was loaded.',
    next: 'Ask the viewer to reload the page.',
    setting: null,
    report: { ...ANN, video: 'the protected video' },
  },
  {
    cause: 'no_script',
    async produce(stage) {
      const change = (html: string) => html.replace('<iframe', '<iframe sandbox=""')
      const frame = await stage.frame(stage.base + stage.embedPath, { change })
      const text = await frame.locator('.noscript').innerText()
      const [sentence = '', code = ''] = text.split(' Code ')
      return { sentence, code }
    },
    shown:
      'This video needs JavaScript. For the owner of this site: if the iframe has a sandbox attribute, remove it, because it blocks JavaScript.',
    message: 'JavaScript was off, or the iframe has a sandbox attribute that blocks it.',
    next: 'Remove the sandbox attribute from the iframe, or ask the viewer to switch JavaScript on.',
    setting: 'videos',
    report: null,
  },
]
