import type { PageTexts } from './page-texts.ts'

export const en: PageTexts = {
  forOwner: 'For the owner of this site',
  reportCode: 'Code',
  request: 'Request',
  copyDetails: 'Copy details',
  copied: 'Copied',
  malformed: {
    title: 'This address is incomplete',
    text: 'It does not lead to a video. Please go back to the page you came from.',
    owner:
      'An embed address ends in `/{video_id}/{base64_account_id}`: 20 hexadecimal characters, then the account id in base64. Copy `embed_url` from the API unchanged:',
  },
  notFound: {
    title: 'Video not found',
    text: 'This video does not exist or has been deleted.',
    owner:
      'The address is well formed, but its account has no such video. Compare it with the `embed_url` from:',
  },
  broken: {
    title: 'Something went wrong',
    text: 'The video could not be loaded. Please try again in a moment.',
  },
  failed: {
    title: 'This video cannot be played',
    text: 'It could not be processed. Please tell the owner of this site.',
    owner:
      'The status of the video is `failed`, which is final. Create the video again. The reason is in the `error` field from:',
  },
  outdated: {
    title: 'The settings of this video have changed',
    text: 'Please reload the page that contains the video.',
  },
  noReferrer: {
    title: 'This video only plays inside a website',
    text: 'Your browser did not say which site the video is on. Please open the page that contains the video.',
    owner:
      'The request had no `Referer` header. Make sure that the page does not send `Referrer-Policy: no-referrer`, and add this attribute to the iframe:',
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
      `Add this entry to \`allowed_domains\` in the player settings. It matches only this host; \`*.${host}\` would match its subdomains.`,
  },
  tokenMissing: {
    title: 'Please open this video on its website',
    text: 'It only plays through a personal link, which its website creates for you.',
    owner:
      'The account requires viewer tokens, and the address has no `vt`. On your server, create a token for each page view and use its `embed_url`:',
  },
  tokenExpired: {
    title: 'This link has expired',
    text: 'Please reload the page that contains the video.',
    owner:
      'The viewer token in `vt` has expired. Create a new one each time the page is loaded; `exp` is Unix time in seconds, not in milliseconds.',
  },
  tokenForged: {
    title: 'This link is not valid',
    text: 'Please reload the page that contains the video.',
    owner:
      'The viewer token in `vt` failed verification: it was changed in transit or signed with a different secret, such as the one before a rotation. The HMAC key is the secret as a text string of 64 characters, not decoded from hex.',
  },
  expInMilliseconds:
    'The viewer token in `vt` is genuine, but its `exp` is a time in milliseconds: it would not expire for thousands of years, so it is refused. Write Unix time in seconds:',
  tokenRevoked: {
    title: 'Your access has ended',
    text: 'The owner of the video has withdrawn your access. If you think this is a mistake, please contact them.',
    owner:
      'The viewer id in `vt` has been revoked in the account. A new token for the same id does not restore access.',
  },
  tooMany: {
    title: 'Too many requests',
    text: 'Too many requests that may not play a video come from your network. Please wait a moment and reload the page that contains the video.',
    owner:
      'Requests without a valid viewer token are limited for each network. Those with a valid `vt` are not: create a token for each page view and use its `embed_url`:',
  },
  openApp: {
    title: 'This video plays in the app',
    text: 'On Android, this protected video only plays in the player app.',
  },
  openEdge: {
    title: 'Please open this page in Microsoft Edge',
    text: 'On Windows, this protected video only plays in Edge. Copy the address of this page, open Edge and paste it there.',
  },
  openSafari: {
    title: 'Please open this page in Safari',
    text: 'On Mac, iPhone and iPad, this protected video only plays in Safari. Copy the address of this page, open Safari and paste it there.',
  },
  guidance: {
    title: 'This device cannot play this video',
    text: 'The video needs hardware protection that this browser does not have. It plays in the Android app, in Edge on Windows, and in Safari on Mac, iPhone and iPad.',
  },
  noHardware: {
    title: 'Hardware protection is missing',
    text: 'This browser could play the video, but its hardware protection is missing or switched off. Install the updates of the system and the browser, turn on hardware acceleration in the browser’s settings and reload the page. Otherwise, use another device or the Android app.',
  },
  openInApp: 'Open in the app',
  getApp: 'Get the Android app',
  askForApp: 'Don’t have the app? Ask the owner of this site where to get it.',
  scanForApp:
    'Scan this code with your Android phone to get the app. Then open this page on the phone.',
  directPlayNotFound: {
    title: 'Video not found',
    text: 'There is no video at this address.',
    owner:
      'Either the video does not exist, or Direct Play is off in its account (`direct_play` in the player settings).',
  },
  play: 'Play',
  preview: 'Preview',
  needsScript:
    'This video needs JavaScript. For the owner of this site: if the iframe has a sandbox attribute, remove it, because it blocks JavaScript.',
  untitledVideo: 'Video',
}
