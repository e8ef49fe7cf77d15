import type { PlaybackCause } from '../../../domain/playback-reports/playback-causes.ts'
import type { EmbedDecision } from '../../../domain/playback/embed-access.ts'
import { IFRAME_REFERRER_POLICY } from '../../../domain/playback/embed-url.ts'
import type { SignName } from '../../../http/pages/signs.ts'
import type { Message } from './message-page.ts'
import type { MessageWithAdvice, PageTexts } from './texts/page-texts.ts'

/** A message page with the status of its response. */
export interface Page extends Message {
  status: number
}

/** Links in the pages. */
export interface Links {
  /** Opens the mobile app. */
  deepLink: string
  /** Store page of the Android app; null if none is configured. */
  appStore: string | null
}

const REFERRER_POLICY = `referrerpolicy="${IFRAME_REFERRER_POLICY}"`
const CREATE_TOKEN = 'POST /v1/videos/{id}/playback-tokens'

/** What names a refusal: its status, its cause for support and its picture. */
type Kind = [status: number, code: PlaybackCause, sign: SignName]

function advised(
  [status, code, sign]: Kind,
  { title, text, owner }: MessageWithAdvice,
  snippet?: string,
): Page {
  const isFaulty = status !== 403
  return { status, code, sign, title, text, advice: { text: owner, snippet }, isFaulty }
}

export const malformed = (texts: PageTexts): Page =>
  advised([400, 'malformed', 'unlink'], texts.malformed, 'GET /v1/videos/{id}/embed')

export const notFound = (texts: PageTexts): Page =>
  advised([404, 'not_found', 'nothing'], texts.notFound, 'GET /v1/videos/{id}')

export const directPlayNotFound = (texts: PageTexts): Page =>
  advised([404, 'direct_play_not_found', 'nothing'], texts.directPlayNotFound)

/** A network sends too many requests that would be refused. */
export const tooMany = (texts: PageTexts): Page =>
  advised([429, 'rate_limited', 'waiting'], texts.tooMany, CREATE_TOKEN)

/** An internal error, 500 or 503. */
export const broken = (texts: PageTexts, status = 500): Page => ({
  ...texts.broken,
  status,
  code: status === 503 ? 'service_unavailable' : 'internal_error',
  sign: 'warning',
  isFaulty: true,
})

/** Returns the page for a decision that does not show the player. */
export function refusalPage(
  decision: Exclude<EmbedDecision, { kind: 'play' | 'wait' }>,
  texts: PageTexts,
  links: Links,
): Page {
  switch (decision.kind) {
    case 'failed':
      return advised([200, 'video_failed', 'videoOff'], texts.failed, 'GET /v1/videos/{id}')
    case 'outdated':
      return { ...texts.outdated, status: 403, code: 'settings_changed', sign: 'refresh' }
    case 'refused':
      return refusedByDomain(decision, texts)
    case 'token_required':
      return refusedByToken(decision.reason, texts)
    case 'app_only':
      return refusedByBrowser(decision.verdict, texts, links)
  }
}

function refusedByDomain(
  decision: Extract<EmbedDecision, { kind: 'refused' }>,
  texts: PageTexts,
): Page {
  if (decision.reason === 'no_referrer')
    return advised([403, 'no_referrer', 'window'], texts.noReferrer, REFERRER_POLICY)
  const { reason, host } = decision
  const message = reason === 'domain_blocked' ? texts.domainBlocked : texts.domainNotAllowed
  return {
    status: 403,
    code: reason,
    sign: 'world',
    title: message.title,
    text: message.text(host),
    advice: { text: message.owner(host), snippet: host },
  }
}

function refusedByToken(
  reason: Extract<EmbedDecision, { kind: 'token_required' }>['reason'],
  texts: PageTexts,
): Page {
  switch (reason) {
    case 'missing':
      return advised([403, 'token_missing', 'ticket'], texts.tokenMissing, CREATE_TOKEN)
    case 'expired':
      return advised([403, 'token_expired', 'clock'], texts.tokenExpired, CREATE_TOKEN)
    case 'forged':
      return advised([403, 'token_forged', 'unlink'], texts.tokenForged, CREATE_TOKEN)
    case 'exp_in_milliseconds':
      return advised(
        [403, 'exp_in_milliseconds', 'unlink'],
        { ...texts.tokenForged, owner: texts.expInMilliseconds },
        CREATE_TOKEN,
      )
    case 'revoked':
      return advised([403, 'viewer_revoked', 'lock'], texts.tokenRevoked)
  }
}

function refusedByBrowser(
  verdict: Extract<EmbedDecision, { kind: 'app_only' }>['verdict'],
  texts: PageTexts,
  { deepLink, appStore }: Links,
): Page {
  const open = { href: deepLink, label: texts.openInApp }
  const get = appStore === null ? [] : [{ href: appStore, label: texts.getApp, isNewTab: true }]
  const hint = appStore === null ? texts.askForApp : undefined
  // Not the deep link: cameras only open web addresses, and a photo must not contain the token.
  const scan = appStore === null ? undefined : { url: appStore, text: texts.scanForApp }
  const refused = { status: 403, code: verdict }
  switch (verdict) {
    case 'open_app':
      return { ...texts.openApp, ...refused, sign: 'phone', actions: [open, ...get], hint }
    case 'open_edge':
      return { ...texts.openEdge, ...refused, sign: 'window' }
    case 'open_safari':
      return { ...texts.openSafari, ...refused, sign: 'window' }
    case 'no_hardware':
      return { ...texts.noHardware, ...refused, sign: 'chip', actions: get, hint, scan }
    case 'guidance':
      return {
        ...texts.guidance,
        ...refused,
        sign: 'screenOff',
        // Includes the link into the app: Android in desktop mode claims to be Linux.
        actions: [...get, open],
        hint,
        scan,
      }
  }
}
