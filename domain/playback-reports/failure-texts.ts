import type { PlaybackCause } from './playback-causes.ts'

/** What people read about a cause. A text with facts is used if all facts that it names in braces are known. */
export interface FailureText {
  /** What happened, in a sentence or two. */
  message: string
  messageWithFacts?: string
  /** The one next step of the owner or the operator. */
  next: string
  nextWithFacts?: string
}

export type FailureTexts = Readonly<Record<PlaybackCause, FailureText>>

const FRESH_TOKEN =
  'Let your server create a viewer token for each page view, and use the embed_url of its response.'
const RELOAD = 'Ask the viewer to reload the page.'
const OPERATOR_LOG = 'Ask the operator to search the log of the player host for this minute.'
const DRM_PROVIDER = 'Ask the operator to run `reelgate doctor drm`.'

/** What the command line and /v1 say. The dashboard has these texts in each of its languages. */
export const FAILURE_TEXTS: FailureTexts = {
  malformed: {
    message: 'The address of the player is incomplete or was changed: it leads to no video.',
    next: 'Copy the embed code of the video again, unchanged.',
  },
  not_found: {
    message: 'The video does not exist in the account that the address names, or it was deleted.',
    next: 'Compare the address with the embed code of the video, and remove the player of a deleted video from the page.',
  },
  direct_play_not_found: {
    message: 'The Direct Play page does not exist: Direct Play is off, or there is no such video.',
    next: 'Switch on Direct Play if links to videos are to work without a website.',
  },
  rate_limited: {
    message:
      'The network of the viewer sent too many requests that were refused, such as pages without a valid viewer token.',
    next: FRESH_TOKEN,
  },
  internal_error: {
    message: 'The player host had an internal error.',
    next: OPERATOR_LOG,
  },
  service_unavailable: {
    message: 'The player host could not reach its database or its storage for a moment.',
    next: 'Ask the operator to look at the health of PostgreSQL and of the storage at this minute.',
  },
  video_failed: {
    message: 'The video could not be processed, so there is nothing to play.',
    next: 'Open the video: its page says why it failed. Then create it again.',
  },
  settings_changed: {
    message: 'The settings of the video changed after the page of the viewer was loaded.',
    next: RELOAD,
  },
  no_referrer: {
    message:
      'The browser did not say which site the video is on, so no domain rule could allow it.',
    next: 'Send the page without "Referrer-Policy: no-referrer", and use the embed code of the video, whose iframe has a referrerpolicy.',
  },
  domain_blocked: {
    message: 'The site is in the list of blocked domains.',
    messageWithFacts: 'The list of blocked domains refuses {host}.',
    next: 'Remove the site from the blocked domains if it may show your videos.',
    nextWithFacts: 'Remove {host} from the blocked domains if it may show your videos.',
  },
  domain_not_allowed: {
    message: 'The site is not in the list of allowed domains.',
    messageWithFacts: '{host} is not in the list of allowed domains.',
    next: 'Add the site to the allowed domains.',
    nextWithFacts: 'Add {host} to the allowed domains.',
  },
  token_missing: {
    message: 'The account requires viewer tokens, and the address of the player had none.',
    next: FRESH_TOKEN,
  },
  token_expired: {
    message: 'The viewer token had expired when the player was loaded.',
    messageWithFacts: 'The viewer token expired {ago} before the player was loaded.',
    next: 'Your page is probably cached, or was open for a long time: create a token for each page view, and send the page with "Cache-Control: no-store".',
  },
  token_forged: {
    message:
      'The viewer token is not genuine: it was changed on the way, or signed with another secret.',
    next: 'Compare the signing secret of your server with that of the account: it may be the one from before a rotation.',
  },
  exp_in_milliseconds: {
    message: 'The viewer token is genuine, but its exp is a time in milliseconds.',
    next: 'Write exp as Unix time in seconds where your server signs tokens.',
  },
  viewer_revoked: {
    message: 'The viewer was revoked: all tokens of this viewer are refused.',
    messageWithFacts: 'The viewer {viewer} was revoked: all tokens of this viewer are refused.',
    next: 'Restore the viewer if this was a mistake.',
    nextWithFacts: 'Restore {viewer} if this was a mistake.',
  },
  open_app: {
    message: 'App-Only mode is on, and on Android the video plays in the app only.',
    next: 'Ask the viewer to open the video in the app, or switch App-Only mode off.',
  },
  open_edge: {
    message: 'App-Only mode is on, and on Windows the video plays in Edge only.',
    messageWithFacts:
      'App-Only mode is on, and this was {device}: on Windows the video plays in Edge only.',
    next: 'Ask the viewer to open the page in Edge, or switch App-Only mode off.',
  },
  open_safari: {
    message: 'App-Only mode is on, and on Apple devices the video plays in Safari only.',
    messageWithFacts:
      'App-Only mode is on, and this was {device}: on Apple devices the video plays in Safari only.',
    next: 'Ask the viewer to open the page in Safari, or switch App-Only mode off.',
  },
  guidance: {
    message: 'App-Only mode is on, and this browser has no hardware DRM.',
    messageWithFacts: 'App-Only mode is on, and {device} has no hardware DRM.',
    next: 'Ask the viewer to use the Android app, Edge on Windows or Safari on an Apple device, or switch App-Only mode off.',
  },
  no_hardware: {
    message: 'App-Only mode is on, and this browser has no hardware DRM on this device.',
    messageWithFacts: 'App-Only mode is on, and {device} has no hardware DRM on this device.',
    next: 'Ask the viewer to update the system and to switch on hardware acceleration, or to use another device.',
  },
  no_script: {
    message: 'JavaScript was off, or the iframe has a sandbox attribute that blocks it.',
    next: 'Remove the sandbox attribute from the iframe, or ask the viewer to switch JavaScript on.',
  },
  no_encrypted_media: {
    message:
      'The iframe does not let the player decrypt: its allow attribute lacks encrypted-media.',
    messageWithFacts:
      'The iframe on {host} does not let the player decrypt: its allow attribute lacks encrypted-media.',
    next: 'Use the embed code of the video unchanged, with its allow attribute.',
  },
  sandboxed: {
    message: 'The iframe has a sandbox attribute, in which protected video cannot play.',
    next: 'Remove the sandbox attribute from the iframe.',
  },
  insecure: {
    message: 'The page was not loaded over https, and browsers decrypt on secure pages only.',
    messageWithFacts:
      'The page on {host} was not loaded over https, and browsers decrypt on secure pages only.',
    next: 'Serve the page that contains the player over https.',
  },
  unsupported: {
    message: 'This browser cannot play protected video.',
    messageWithFacts: '{device} could not play protected video.',
    next: 'Ask the viewer to update the browser, or to use a current Chrome, Edge, Firefox or Safari.',
  },
  licence_refused: {
    message:
      'The key of the video was refused: the session was over or not valid, or the DRM provider has no licence for it.',
    next: 'Ask the viewer to reload the page. If that does not help with a Multi-DRM video, ask the operator to run `reelgate doctor drm`.',
  },
  secret_rotated: {
    message: 'The signing secret was replaced while the video played, which ends all sessions.',
    next: RELOAD,
  },
  video_deleted: {
    message: 'The video was deleted while the page was open.',
    next: 'Remove the player from the page, or embed another video.',
  },
  too_many_streams: {
    message: 'The viewer played more videos at the same time than the account allows.',
    messageWithFacts: '{viewer} played more videos at the same time than the account allows.',
    next: 'Ask the viewer to close other players, or raise the limit of plays.',
  },
  session_ended: {
    message:
      'The playback was ended: by a member in the dashboard, by changed domain rules, because tokens are required now, or because it was silent for long.',
    next: RELOAD,
  },
  network: {
    message:
      'The connection of the viewer was lost, or a firewall blocks the player or the media host.',
    messageWithFacts: 'The player host or the media host responded with an error (HTTP {status}).',
    next: 'Ask the viewer to try another network. If many viewers have this, check that their networks reach the player and the media host.',
    nextWithFacts:
      'Ask the operator why, at this minute, a server responded with HTTP {status}: look at the health of PostgreSQL and of the storage.',
  },
  watermark_lost: {
    message: 'Something covered or removed the watermark, so playback was paused.',
    next: 'Ask the viewer to switch off browser extensions that change pages, such as those for dark mode.',
  },
  watermark: {
    message: 'The watermark was tampered with, so playback was stopped.',
    next: 'Look at the security events of this viewer.',
  },
  failed: {
    message: 'The browser could not play what it received.',
    messageWithFacts: '{device} could not play what it received.',
    next: 'Play the video yourself. If it plays, ask the viewer to update the browser; if not, create the video again.',
  },
  drm_device_revoked: {
    message: 'The device of the viewer was revoked: it gets no licences.',
    next: 'Ask the operator to restore the device with `reelgate devices restore` if this was a mistake.',
  },
  drm_security_too_low: {
    message: 'The device is less secure than the licences of the account require.',
    messageWithFacts: '{device} is less secure than the licences of the account require.',
    next: 'Ask the viewer to use Edge on Windows, Safari on an Apple device, or another device.',
  },
  drm_output_blocked: {
    message: 'The screen that is connected does not protect the picture (HDCP).',
    next: 'Ask the viewer to disconnect external screens and adapters, and to end screen sharing.',
  },
  drm_unavailable: {
    message: 'The licence server of the DRM provider did not respond.',
    next: DRM_PROVIDER,
  },
  drm_expired: {
    message: 'The licence of the video expired and was not renewed.',
    next: RELOAD,
  },
  drm_no_cdm: {
    message: 'This browser has no DRM that can play the video, or it is switched off.',
    messageWithFacts: '{device} has no DRM that can play the video, or it is switched off.',
    next: 'Ask the viewer to allow protected content (DRM) in the settings of the browser, or to use Chrome, Edge, Firefox or Safari.',
  },
  invalid_request: {
    message: 'The mobile app sent a request that could not be read.',
    next: 'Ask the viewer to update the app.',
  },
  invalid_link: {
    message: 'The link that opened the mobile app is incomplete or was changed.',
    next: 'Open the app with the link of the page, unchanged.',
  },
  app_playback_off: {
    message: 'The mobile app is switched off in this installation.',
    next: 'Ask the operator to set APP_PLAYBACK, or switch App-Only mode off.',
  },
  multi_drm_required: {
    message: 'The mobile app plays Multi-DRM videos only, and this video has another protection.',
    next: 'Ask the viewer to play the video in the browser.',
  },
  invalid_challenge: {
    message: 'The mobile app used a challenge that had expired or was for another link.',
    next: 'Ask the viewer to open the video again from the page; the clock of the device must be right.',
  },
  attestation_required: {
    message: 'The mobile app did not attest itself, which this installation demands.',
    next: 'Ask the viewer to install the app from its store.',
  },
  attestation_refused: {
    message: 'The attestation of the mobile app was refused: the app or its device is not genuine.',
    next: 'Ask the viewer to install the app from its store, on a device that is not rooted.',
  },
  unknown_attestation_key: {
    message: 'The mobile app used a key that is not known here any more.',
    next: 'Ask the viewer to open the video again: the app then attests a new key.',
  },
  video_not_ready: {
    message: 'The video was still being prepared when the mobile app asked for it.',
    next: 'Wait until the video is playable.',
  },
}
