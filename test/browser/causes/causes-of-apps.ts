import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { deepLink } from '../../../domain/playback/embed-url.ts'
import type { MobileApp } from '../../../player/server/deps.ts'
import { paths } from '../../../player/server/paths.ts'
import { createMobileApp, type Attest } from '../../fixtures/mobile-app.ts'
import { createPlayIntegrity } from '../../fixtures/play-integrity.ts'
import type { CauseRow, Known, Shown } from './cause-row.ts'
import type { Stage } from './stage.ts'

type Produce = CauseRow['produce']

const refusal = z.object({ error: z.object({ message: z.string(), report_code: z.string() }) })

const read = async (response: Response): Promise<Shown> => {
  const { error } = refusal.parse(await response.json())
  return { sentence: error.message, code: error.report_code }
}

const linkOf = ({ videoId, accountId, vtFor }: Stage) => deepLink(videoId, accountId, vtFor('ann'))
const OPEN: MobileApp = { mustAttest: false, apps: { android: null, ios: null } }
const IOS = {
  appId: '1234567890.com.example.player',
  environment: 'production',
  rootPem: '',
} as const

/** Asks for a challenge with this body. */
const ask =
  (body: object, mobileApp: MobileApp | null = OPEN): Produce =>
  async (stage) => {
    await stage.restart(mobileApp ? { mobileApp } : {})
    return read(await createMobileApp(stage.base).post(paths.appChallenges, body))
  }

/** Opens the link of a Multi-DRM video, which `change` alters. */
const open =
  (change: object, mobileApp: MobileApp = OPEN, attest?: Attest): Produce =>
  async (stage) => {
    await stage.restart({ mobileApp })
    await stage.setVideo({ protection: 'multi-drm', ...change })
    return read(await createMobileApp(stage.base, attest).open(linkOf(stage)))
  }

const KNOWN: Known = { video: 'the video', viewer: 'ann', host: null }
const FROM_THE_STORE = 'Ask the viewer to install the app from its store'

/** What the mobile app is refused. It shows that itself: no browser can. */
export const APP_CAUSES: CauseRow[] = [
  {
    cause: 'invalid_request',
    produce: ask({}),
    shown: 'The body lacks a field, or has one that is not valid.',
    message: 'The mobile app sent a request that could not be read.',
    next: 'Ask the viewer to update the app.',
    setting: null,
    report: null,
  },
  {
    cause: 'invalid_link',
    produce: ask({ link: 'https://play.example/' }),
    shown: 'The link is not one that opens the app.',
    message: 'The link that opened the mobile app is incomplete or was changed.',
    next: 'Open the app with the link of the page, unchanged.',
    setting: null,
    report: null,
  },
  {
    cause: 'app_playback_off',
    produce: ask({}, null),
    shown: 'This installation has no mobile app.',
    message: 'The mobile app is switched off in this installation.',
    next: 'Ask the operator to set APP_PLAYBACK, or switch App-Only mode off.',
    setting: 'settings/protection',
    report: null,
  },
  {
    cause: 'multi_drm_required',
    produce: open({ protection: 'clearkey' }),
    shown: 'The app plays only videos that are protected by Multi-DRM.',
    message: 'The mobile app plays Multi-DRM videos only, and this video has another protection.',
    next: 'Ask the viewer to play the video in the browser.',
    setting: null,
    report: KNOWN,
  },
  {
    cause: 'invalid_challenge',
    async produce(stage) {
      await stage.restart({ mobileApp: OPEN })
      return read(await createMobileApp(stage.base).redeem(linkOf(stage), 'x'))
    },
    shown: 'The challenge has expired, was used, or is for another link.',
    message: 'The mobile app used a challenge that had expired or was for another link.',
    next: 'Ask the viewer to open the video again from the page; the clock of the device must be right.',
    setting: null,
    report: null,
  },
  {
    cause: 'attestation_required',
    produce: open({}, { ...OPEN, mustAttest: true }),
    shown: 'The app must attest itself.',
    message: 'The mobile app did not attest itself, which this installation demands.',
    next: `${FROM_THE_STORE}.`,
    setting: null,
    report: KNOWN,
  },
  {
    cause: 'attestation_refused',
    produce(stage) {
      const google = createPlayIntegrity()
      const mobileApp = { mustAttest: true, apps: { android: google.app, ios: null } }
      // Of another request.
      const attest: Attest = async () => ({
        kind: 'play-integrity',
        token: await google.mint(google.verdict(Buffer.alloc(32), Date.now())),
      })
      return open({}, mobileApp, attest)(stage)
    },
    shown: 'The attestation is not valid.',
    message: 'The attestation of the mobile app was refused: the app or its device is not genuine.',
    next: `${FROM_THE_STORE}, on a device that is not rooted.`,
    setting: null,
    report: KNOWN,
  },
  {
    cause: 'unknown_attestation_key',
    produce: open({}, { mustAttest: true, apps: { android: null, ios: IOS } }, () => ({
      kind: 'app-attest',
      key_id: randomBytes(32).toString('base64'),
      assertion: 'AAAA',
    })),
    shown: 'The key is not known here. The app attests a new one.',
    message: 'The mobile app used a key that is not known here any more.',
    next: 'Ask the viewer to open the video again: the app then attests a new key.',
    setting: null,
    report: KNOWN,
  },
  {
    cause: 'video_not_ready',
    produce: open({ status: 'queued' }),
    shown: 'The video is still being prepared. Try again in a few seconds.',
    message: 'The video was still being prepared when the mobile app asked for it.',
    next: 'Wait until the video is playable.',
    setting: 'videos/{video}',
    report: KNOWN,
  },
]
