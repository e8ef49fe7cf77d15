import type { PlayerCause } from '../../../domain/playback-reports/playback-causes.ts'
import type { Misbehaviour } from '../../infrastructure/licence-servers/licence-server.ts'
import { pretendEme, WORLDS, type EmeWorld } from '../fake-eme.ts'
import { untilPlays } from '../viewer.ts'
import type { CauseRow, Known } from './cause-row.ts'
import { readMessage } from './read-shown.ts'
import { HOST, type Stage } from './stage.ts'

const watch = (stage: Stage, world: EmeWorld) =>
  stage.watch({
    videoId: stage.protectedId,
    before: (page) => pretendEme(page, world),
  })

/** Plays by Widevine while the licence server misbehaves. */
const misbehave =
  (cause: PlayerCause, how: Misbehaviour): CauseRow['produce'] =>
  async (stage) => {
    stage.licences.providers.axinom.server.misbehave(how)
    return readMessage(await watch(stage, WORLDS.widevineHardware), cause)
  }

const report: Known = { video: 'the protected video', viewer: 'ann', host: HOST }

/** What the player of a Multi-DRM video finds, with a pretended CDM and real licence requests. */
export const DRM_CAUSES: CauseRow[] = [
  {
    cause: 'drm_device_revoked',
    produce: misbehave('drm_device_revoked', 'revoked'),
    shown: 'This device may no longer play protected videos. Please use another device.',
    message: 'The device of the viewer was revoked: it gets no licences.',
    next: 'Ask the operator to restore the device with `reelgate devices restore` if this was a mistake.',
    setting: null,
    report,
  },
  {
    cause: 'drm_security_too_low',
    produce: misbehave('drm_security_too_low', 'level'),
    shown:
      'This device is not secure enough to play this video. Try another browser (Edge on Windows, Safari on Apple devices) or another device.',
    message: 'Chrome on Linux is less secure than the licences of the account require.',
    next: 'Ask the viewer to use Edge on Windows, Safari on an Apple device, or another device.',
    setting: null,
    report,
  },
  {
    cause: 'drm_output_blocked',
    produce: misbehave('drm_output_blocked', 'output'),
    shown:
      'The connected screen does not protect the picture (HDCP). Disconnect external screens and adapters and end screen sharing, then reload.',
    message: 'The screen that is connected does not protect the picture (HDCP).',
    next: 'Ask the viewer to disconnect external screens and adapters, and to end screen sharing.',
    setting: null,
    report,
  },
  {
    cause: 'licence_refused',
    how: 'the licence server has no such key',
    produce: misbehave('licence_refused', 'content'),
    shown: 'This video can no longer be played here.',
    message:
      'The key of the video was refused: the session was over or not valid, or the DRM provider has no licence for it.',
    next: 'Ask the viewer to reload the page. If that does not help with a Multi-DRM video, ask the operator to run `reelgate doctor drm`.',
    setting: null,
    report,
  },
  {
    cause: 'drm_unavailable',
    produce: misbehave('drm_unavailable', 'outage'),
    shown: 'The licence service is not responding. Playback will start as soon as it does.',
    message: 'The licence server of the DRM provider did not respond.',
    next: 'Ask the operator to run `reelgate doctor drm`.',
    setting: null,
    report,
  },
  {
    cause: 'drm_expired',
    async produce(stage) {
      const page = await watch(stage, WORLDS.widevineHardware)
      await untilPlays(page)
      await page.evaluate(() => window.fakeEme.expire())
      return readMessage(page, 'drm_expired')
    },
    shown: 'Your licence for this video has expired. Reload the page to continue.',
    message: 'The licence of the video expired and was not renewed.',
    next: 'Ask the viewer to reload the page.',
    setting: null,
    report,
  },
  {
    cause: 'drm_no_cdm',
    produce: async (stage) => readMessage(await watch(stage, WORLDS.none), 'drm_no_cdm'),
    shown:
      'This browser has no content protection that can play this video, or it is switched off. Allow protected content (DRM) in its settings, or use Chrome, Edge, Firefox or Safari.',
    message: 'Chrome on Linux has no DRM that can play the video, or it is switched off.',
    next: 'Ask the viewer to allow protected content (DRM) in the settings of the browser, or to use Chrome, Edge, Firefox or Safari.',
    setting: null,
    report,
  },
]
