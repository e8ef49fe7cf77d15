import type { EmbedDecision } from '../../../domain/embed-access.ts'
import type { Message } from './message-page.ts'

export type PageText = Pick<Message, 'title' | 'text' | 'owner' | 'action' | 'refresh'> & {
  status: number
}

export const MALFORMED: PageText = {
  status: 400,
  title: 'This address is not complete',
  text: 'The address of the video is malformed.',
  owner:
    'An embed address is /{video_id}/{base64_account_id}: 20 hexadecimal characters, then the account id as base64. Copy embed_url from the API.',
}

export const NOT_FOUND: PageText = {
  status: 404,
  title: 'Video not found',
  text: 'This video does not exist or was deleted.',
}

export const BROKEN: PageText = {
  status: 500,
  title: 'Something went wrong',
  text: 'The player could not be loaded. Try again in a moment.',
}

const FAILED: PageText = {
  status: 200,
  title: 'This video cannot be played',
  text: 'The video could not be processed.',
}

const REFRESH_SECONDS = 5

const WAITING: PageText = {
  status: 200,
  title: 'The video is being prepared',
  text: 'It starts here by itself as soon as it can be played.',
}

const BY_DOMAIN: Record<'no_referrer' | 'domain_blocked' | 'domain_not_allowed', PageText> = {
  no_referrer: {
    status: 403,
    title: 'This video plays only inside a website',
    text: 'The browser did not say which site the video is embedded in.',
    owner:
      'The Referer header was missing. Set referrerpolicy="strict-origin-when-cross-origin" on the iframe, and see that no Referrer-Policy: no-referrer header of the page takes it away.',
  },
  domain_blocked: {
    status: 403,
    title: 'This video is not available on this site',
    text: 'The owner of the video has blocked this site.',
    owner: 'The domain of this page is on the list of blocked domains of the video account.',
  },
  domain_not_allowed: {
    status: 403,
    title: 'This video is not available on this site',
    text: 'The owner of the video has not allowed this site.',
    owner:
      'Add the domain of this page to the allowed domains of the video account. *.example.com covers every subdomain but not example.com itself.',
  },
}

const BY_TOKEN: Record<'missing' | 'expired' | 'forged', PageText> = {
  missing: {
    status: 403,
    title: 'Please open this video from its site again',
    text: 'This video needs a personal link.',
    owner: 'A viewer token is required and vt is missing from the embed address.',
  },
  expired: {
    status: 403,
    title: 'This link has expired',
    text: 'Reload the page that the video is on.',
    owner: 'The viewer token has expired: sign a new one for each page view.',
  },
  forged: {
    status: 403,
    title: 'This link is not valid',
    text: 'Reload the page that the video is on.',
    owner:
      'The viewer token does not verify: it was signed with another secret (perhaps one from before a rotation) or was changed.',
  },
}

const BY_APP: Record<'open_app' | 'open_edge' | 'open_safari' | 'guidance', PageText> = {
  open_app: {
    status: 403,
    title: 'This video plays in the app',
    text: 'Open it in the player app on this device.',
  },
  open_edge: {
    status: 403,
    title: 'Please open this page in Microsoft Edge',
    text: 'On Windows this protected video plays in Edge only.',
  },
  open_safari: {
    status: 403,
    title: 'Please open this page in Safari',
    text: 'On Apple devices this protected video plays in Safari only.',
  },
  guidance: {
    status: 403,
    title: 'This device cannot play this video',
    text: 'It needs hardware protection that this browser does not have. It plays in the Android app, in Edge on Windows and in Safari on Apple devices.',
  },
}

/** The page for every decision but `play`. */
export function pageTextOf(
  decision: Exclude<EmbedDecision, { kind: 'play' }>,
  links: { app: string; refresh: string },
): PageText {
  switch (decision.kind) {
    case 'wait':
      return { ...WAITING, refresh: { seconds: REFRESH_SECONDS, url: links.refresh } }
    case 'failed':
      return FAILED
    case 'refused':
      return BY_DOMAIN[decision.reason]
    case 'token_required':
      return BY_TOKEN[decision.reason]
    case 'app_only': {
      const text = BY_APP[decision.verdict]
      const offersApp = decision.verdict === 'open_app' || decision.verdict === 'guidance'
      return offersApp ? { ...text, action: { href: links.app, label: 'Open the app' } } : text
    }
  }
}
