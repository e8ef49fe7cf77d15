import type { Page } from 'playwright-core'
import { revokeViewer } from '../../../commands/viewers/revoke-viewer.ts'
import type { PlayerCause } from '../../../domain/playback-reports/playback-causes.ts'
import { awayStorage } from '../../infrastructure/away-storage.ts'
import { waitFor } from '../../infrastructure/wait-for.ts'
import { useScript } from '../idle-pages.ts'
import { hastenHeartbeats, isPaused, play, shownError, untilPlays } from '../viewer.ts'
import type { CauseRow, Known } from './cause-row.ts'
import { readMessage } from './read-shown.ts'
import { HOST, type Stage } from './stage.ts'

type Produce = CauseRow['produce']

/** Loads the player after `before`. */
const load =
  (cause: PlayerCause, before: (page: Page, stage: Stage) => Promise<unknown>): Produce =>
  async (stage) =>
    readMessage(await stage.watch({ before: (page) => before(page, stage) }), cause)

/** Makes the change while the video plays; the next heartbeat says so. */
const whilePlaying =
  (cause: PlayerCause, change: (stage: Stage) => Promise<unknown>, viewerId = 'ann'): Produce =>
  async (stage) => {
    const page = await stage.watch({ viewerId, before: hastenHeartbeats })
    await play(page)
    await change(stage)
    const shown = await readMessage(page, cause)
    if (!(await isPaused(page))) throw new Error('the video plays on')
    return shown
  }

/** Frames the player with a mistake in the markup of the site. */
const embed =
  (cause: PlayerCause, change: (html: string) => string, host = HOST): Produce =>
  async (stage) =>
    readMessage(
      await stage.frame(`${stage.base + stage.embedPath}?autoplay=1&muted=1`, { change, host }),
      cause,
    )

/** Shortens the waits between the tries of a request, which are up to 21 seconds. */
const hastenRetries = (page: Page) =>
  useScript(page, () => {
    const real = window.setTimeout.bind(window)
    // What Shaka Player waits for a response.
    const deadlines = [5_000, 10_000, 30_000]
    const hastened = (action: TimerHandler, delayMs = 0, ...given: unknown[]): number => {
      const isWait = delayMs > 200 && delayMs < 25_000 && !deadlines.includes(delayMs)
      return real(action, isWait ? 20 : delayMs, ...given)
    }
    Object.assign(window, { setTimeout: hastened })
  })

/** Of a browser whose key systems are switched off. */
const withoutKeySystems = (page: Page) =>
  useScript(page, () => {
    const known = navigator.mediaCapabilities
    const real = known.decodingInfo.bind(known)
    const decodingInfo = async (asked: MediaDecodingConfiguration) => {
      const info = await real(asked)
      return 'keySystemConfiguration' in asked ? { ...info, keySystemAccess: null } : info
    }
    const refuse = () => Promise.reject(new DOMException('none', 'NotSupportedError'))
    Object.assign(known, { decodingInfo })
    Object.assign(Navigator.prototype, { requestMediaKeySystemAccess: refuse })
  })

/** Covers the watermark until the player says so. */
async function strike(page: Page, until: PlayerCause): Promise<void> {
  const cover = () => {
    const style = document.createElement('style')
    style.textContent = `#player > :last-child::after { content: ''; position: fixed; inset: 0; background: #246 }`
    document.head.append(style)
  }
  await waitFor(until, async () => {
    await page.evaluate(cover)
    return (await shownError(page)) === until
  })
}

async function loseWatermark(stage: Stage): Promise<Page> {
  const watermark = { enabled: true, required: false, opacity: 0.4, size: 'medium' } as const
  await stage.configure({ watermark })
  const page = await stage.watch({ viewerId: 'trudy' })
  await play(page)
  await strike(page, 'watermark_lost')
  return page
}

const KNOWN: Known = { video: 'the video', viewer: 'ann', host: HOST }
const LICENCE = '**/licence/clearkey'
const SERVER_FAULT = {
  message: 'The player host or the media host responded with an error (HTTP 503).',
  next: 'Ask the operator why, at this minute, a server responded with HTTP 503: look at the health of PostgreSQL and of the storage.',
}
const RELOAD = 'Ask the viewer to reload the page.'

/** What the player of any video finds. */
export const PLAYER_CAUSES_OF_ALL: CauseRow[] = [
  {
    cause: 'no_encrypted_media',
    produce: embed('no_encrypted_media', (html) =>
      html.replace(/allow="[^"]*"/, 'allow="autoplay"'),
    ),
    shown: 'This video is protected, and this site does not let the player decrypt it.',
    message: `The iframe on ${HOST} does not let the player decrypt: its allow attribute lacks encrypted-media.`,
    next: 'Use the embed code of the video unchanged, with its allow attribute.',
    setting: 'videos/{video}/embed',
    report: { ...KNOWN, viewer: null },
  },
  {
    cause: 'sandboxed',
    produce: embed('sandboxed', (html) =>
      html.replace('<iframe', '<iframe sandbox="allow-scripts"'),
    ),
    shown: 'This video is protected and cannot play inside a sandboxed frame.',
    message: 'The iframe has a sandbox attribute, in which protected video cannot play.',
    next: 'Remove the sandbox attribute from the iframe.',
    setting: 'videos',
    // Its scripts may send nothing to the player host.
    report: null,
  },
  {
    cause: 'insecure',
    produce: embed('insecure', (html) => html, 'insecure.example'),
    shown: 'This video is protected and only plays on secure pages.',
    message:
      'The page on insecure.example was not loaded over https, and browsers decrypt on secure pages only.',
    next: 'Serve the page that contains the player over https.',
    setting: 'videos/{video}/embed',
    report: { ...KNOWN, viewer: null, host: 'insecure.example' },
  },
  {
    cause: 'unsupported',
    produce: load('unsupported', withoutKeySystems),
    shown: 'This browser cannot play protected video. Please use a current browser.',
    message: 'Chrome on Linux could not play protected video.',
    next: 'Ask the viewer to update the browser, or to use a current Chrome, Edge, Firefox or Safari.',
    setting: null,
    report: KNOWN,
  },
  {
    cause: 'licence_refused',
    how: 'the session is not valid',
    produce: load('licence_refused', (page) =>
      page.route('**/manifest.mpd', (route) => {
        const headers = { ...route.request().headers(), 'x-playback-session': 'x' }
        return route.continue({ headers })
      }),
    ),
    shown: 'This video can no longer be played here.',
    message:
      'The key of the video was refused: the session was over or not valid, or the DRM provider has no licence for it.',
    next: 'Ask the viewer to reload the page. If that does not help with a Multi-DRM video, ask the operator to run `reelgate doctor drm`.',
    setting: null,
    report: KNOWN,
  },
  {
    cause: 'secret_rotated',
    produce: whilePlaying('secret_rotated', (stage) => stage.rotateSecret()),
    shown: 'The site has renewed your access. Reload the page to continue.',
    message: 'The signing secret was replaced while the video played, which ends all sessions.',
    next: RELOAD,
    setting: null,
    report: KNOWN,
  },
  {
    cause: 'video_deleted',
    produce: whilePlaying('video_deleted', (stage) => stage.setVideo({ deletedAt: new Date() })),
    shown: 'This video is no longer available.',
    message: 'The video was deleted while the page was open.',
    next: 'Remove the player from the page, or embed another video.',
    setting: 'videos',
    report: { ...KNOWN, video: 'deleted' },
  },
  {
    cause: 'video_failed',
    how: 'while it plays',
    produce: whilePlaying('video_failed', (stage) => stage.setVideo({ status: 'failed' })),
    shown: 'This video could not be prepared.',
    message: 'The video could not be processed, so there is nothing to play.',
    next: 'Open the video: its page says why it failed. Then create it again.',
    setting: 'videos/{video}',
    report: KNOWN,
  },
  {
    cause: 'viewer_revoked',
    how: 'while the video plays',
    produce: whilePlaying(
      'viewer_revoked',
      ({ db, accountId }) => revokeViewer(db.em.fork(), accountId, 'mallory'),
      'mallory',
    ),
    shown: 'Your access to this video has been withdrawn.',
    message: 'The viewer mallory was revoked: all tokens of this viewer are refused.',
    next: 'Restore mallory if this was a mistake.',
    setting: 'security/viewers',
    report: { ...KNOWN, viewer: 'mallory' },
  },
  {
    cause: 'too_many_streams',
    async produce(stage) {
      await stage.configure({ concurrent_plays: { limit: 1, winner: 'oldest' } })
      await play(await stage.watch({ viewerId: 'liz' }))
      return readMessage(await stage.watch({ viewerId: 'liz' }), 'too_many_streams')
    },
    shown:
      'Your account is already playing the maximum number of videos. Close another one, then reload.',
    message: 'liz played more videos at the same time than the account allows.',
    next: 'Ask the viewer to close other players, or raise the limit of plays.',
    setting: 'settings/protection',
    report: { ...KNOWN, viewer: 'liz' },
  },
  {
    cause: 'session_ended',
    produce: whilePlaying(
      'session_ended',
      ({ db }) =>
        db.em.fork().execute(`update playback_record set ended_at = now() where viewer_id = 'sam'`),
      'sam',
    ),
    shown: 'Your viewing session has ended.',
    message:
      'The playback was ended: by a member in the dashboard, by changed domain rules, because tokens are required now, or because it was silent for long.',
    next: RELOAD,
    setting: null,
    report: { ...KNOWN, viewer: 'sam' },
  },
  {
    cause: 'network',
    how: 'the connection is cut',
    produce: load('network', (page) => page.route('**/manifest.mpd', (route) => route.abort())),
    shown: 'The connection was lost. Playback will continue once it is back.',
    message:
      'The connection of the viewer was lost, or a firewall blocks the player or the media host.',
    next: 'Ask the viewer to try another network. If many viewers have this, check that their networks reach the player and the media host.',
    setting: null,
    report: KNOWN,
  },
  {
    cause: 'network',
    how: 'the storage is away',
    async produce(stage) {
      await stage.restart({ storage: awayStorage(1) })
      // A browser that has no segments yet.
      const context = { locale: 'en-GB' }
      return readMessage(await stage.watch({ context, before: hastenRetries }), 'network')
    },
    shown: 'The connection was lost. Playback will continue once it is back.',
    ...SERVER_FAULT,
    setting: null,
    report: KNOWN,
  },
  {
    cause: 'network',
    how: 'the player host cannot read the key',
    async produce(stage) {
      const body = '{"error":{"code":"service_unavailable"}}'
      const page = await stage.watch({
        async before(opened) {
          await hastenRetries(opened)
          await opened.route(LICENCE, (route) => route.fulfill({ status: 503, body }))
        },
      })
      const shown = await readMessage(page, 'network')
      await page.unroute(LICENCE)
      await untilPlays(page)
      return shown
    },
    shown: 'The connection was lost. Playback will continue once it is back.',
    ...SERVER_FAULT,
    setting: null,
    report: KNOWN,
  },
  {
    cause: 'watermark_lost',
    produce: async (stage) => readMessage(await loseWatermark(stage), 'watermark_lost'),
    shown:
      'Playback is paused because the watermark over the picture was removed or covered. If a browser extension changes this page, switch it off here.',
    message: 'Something covered or removed the watermark, so playback was paused.',
    next: 'Ask the viewer to switch off browser extensions that change pages, such as those for dark mode.',
    setting: 'settings/watermark',
    report: { ...KNOWN, viewer: 'trudy' },
  },
  {
    cause: 'watermark',
    async produce(stage) {
      const page = await loseWatermark(stage)
      await page.click('#message .actions button:not(.quiet)')
      await strike(page, 'watermark')
      return readMessage(page, 'watermark')
    },
    shown: 'Playback has stopped because the picture was tampered with.',
    message: 'The watermark was tampered with, so playback was stopped.',
    next: 'Look at the security events of this viewer.',
    setting: 'security/events',
    report: { ...KNOWN, viewer: 'trudy' },
  },
  {
    cause: 'failed',
    produce: load('failed', (page) =>
      page.route('**/manifest.mpd', (route) => route.fulfill({ body: '<MPD' })),
    ),
    shown: 'The video could not be played.',
    message: 'Chrome on Linux could not play what it received.',
    next: 'Play the video yourself. If it plays, ask the viewer to update the browser; if not, create the video again.',
    setting: 'videos/{video}',
    report: KNOWN,
  },
]
