import type { PageTexts } from './page-texts.ts'

export const en: PageTexts = {
  forOwner: 'For the owner of this site',
  request: 'Request',
  malformed: {
    title: 'This address is not complete',
    text: 'No video can be found by it. Please go back to the page that you came from.',
    owner:
      'An embed address ends in `/{video_id}/{base64_account_id}`: 20 hexadecimal characters, then the account id in base64. Copy `embed_url` from the API as it is:',
  },
  notFound: {
    title: 'Video not found',
    text: 'This video does not exist, or it was deleted.',
    owner:
      'The address is well formed, but its account has no such video. Compare it with the `embed_url` of:',
  },
  broken: {
    title: 'Something went wrong',
    text: 'The video could not be loaded. Please try again in a moment.',
  },
  failed: {
    title: 'This video cannot be played',
    text: 'It could not be processed. Please tell the owner of this site.',
    owner:
      'The video has the status `failed`, which does not change any more: create it again. The reason is in the `error` of:',
  },
  waiting: {
    title: 'This video is being prepared',
    text: 'It starts here by itself as soon as it can be played.',
  },
  noReferrer: {
    title: 'This video plays only inside a website',
    text: 'Your browser did not say which site the video is embedded in. Please open the page that the video belongs to.',
    owner:
      'The request had no `Referer` header. See that the page does not send `Referrer-Policy: no-referrer`, and put this attribute on the iframe:',
  },
  domainBlocked: {
    title: 'This video is not available on this site',
    text: (host) => `The owner of the video has blocked \`${host}\`.`,
    owner: () =>
      'Blocked domains come before allowed ones. To show the video here, remove the entry that matches this host from `blocked_domains` in the player settings:',
  },
  domainNotAllowed: {
    title: 'This video is not available on this site',
    text: (host) => `The owner of the video has not allowed \`${host}\`.`,
    owner: (host) =>
      `Add this entry to \`allowed_domains\` in the player settings. It matches this host alone; \`*.${host}\` would match its subdomains.`,
  },
  tokenMissing: {
    title: 'Please open this video from its site',
    text: 'It needs a personal link, and this one is not.',
    owner:
      'The account requires viewer tokens, and the address has no `vt`. On your server, create a token for each page view and use its `embed_url`:',
  },
  tokenExpired: {
    title: 'This link has expired',
    text: 'Please reload the page that the video is on.',
    owner:
      'The viewer token in `vt` has expired. Create a new one each time the page is loaded; `exp` is Unix time in seconds, not in milliseconds.',
  },
  tokenForged: {
    title: 'This link is not valid',
    text: 'Please reload the page that the video is on.',
    owner:
      'The viewer token in `vt` does not verify: it was changed on its way, or signed with another secret, such as one from before a rotation. The HMAC key is the secret as text, all 64 characters, not decoded from hex.',
  },
  tokenRevoked: {
    title: 'Your access has ended',
    text: 'The owner of the video has withdrawn it. If you think that this is a mistake, please contact them.',
    owner:
      'The viewer id in `vt` was revoked in the account. A new token for the same id does not let it in again.',
  },
  openApp: {
    title: 'This video plays in the app',
    text: 'On Android this protected video plays in the player app.',
  },
  openEdge: {
    title: 'Please open this page in Microsoft Edge',
    text: 'On Windows this protected video plays in Edge only. Copy the address of the page, open Edge and paste it there.',
  },
  openSafari: {
    title: 'Please open this page in Safari',
    text: 'On Mac, iPhone and iPad this protected video plays in Safari only. Copy the address of the page, open Safari and paste it there.',
  },
  guidance: {
    title: 'This device cannot play this video',
    text: 'The video needs hardware protection that this browser does not have. It plays in the Android app, in Edge on Windows, and in Safari on Mac, iPhone and iPad.',
  },
  openInApp: 'Open in the app',
  getApp: 'Get the Android app',
  askForApp: 'Don’t have the app? Ask the owner of this site where to get it.',
  scanForApp:
    'Scan this code with your Android phone to get the app. Then open this page on the phone.',
  directPlayNotFound: {
    title: 'Video not found',
    text: 'There is no video to watch at this address.',
    owner:
      'Either there is no such video, or its account has Direct Play switched off (`direct_play` in the player settings).',
  },
  play: 'Play',
  needsScript:
    'JavaScript is needed to play this video. For the owner of this site: an iframe with a sandbox attribute forbids it; remove the attribute.',
  untitledVideo: 'Video',
}
