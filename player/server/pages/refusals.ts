import type { EmbedDecision } from '../../../domain/playback/embed-access.ts'
import { IFRAME_REFERRER_POLICY } from '../../../domain/playback/embed-url.ts'
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

function advised(
  status: number,
  { title, text, owner }: MessageWithAdvice,
  snippet?: string,
): Page {
  return { status, title, text, advice: { text: owner, snippet }, isFaulty: status !== 403 }
}

export const malformed = (texts: PageTexts): Page =>
  advised(400, texts.malformed, 'GET /v1/videos/{id}/embed')

export const notFound = (texts: PageTexts): Page =>
  advised(404, texts.notFound, 'GET /v1/videos/{id}')

export const directPlayNotFound = (texts: PageTexts): Page => advised(404, texts.directPlayNotFound)

/** A network sends too many requests that would be refused. */
export const tooMany = (texts: PageTexts): Page => advised(429, texts.tooMany, CREATE_TOKEN)

/** An internal error, 500 or 503. */
export const broken = (texts: PageTexts, status = 500): Page => ({
  ...texts.broken,
  status,
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
      return advised(200, texts.failed, 'GET /v1/videos/{id}')
    case 'outdated':
      return { ...texts.outdated, status: 403 }
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
  if (decision.reason === 'no_referrer') return advised(403, texts.noReferrer, REFERRER_POLICY)
  const { reason, host } = decision
  const message = reason === 'domain_blocked' ? texts.domainBlocked : texts.domainNotAllowed
  return {
    status: 403,
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
      return advised(403, texts.tokenMissing, CREATE_TOKEN)
    case 'expired':
      return advised(403, texts.tokenExpired, CREATE_TOKEN)
    case 'forged':
      return advised(403, texts.tokenForged, CREATE_TOKEN)
    case 'exp_in_milliseconds':
      return advised(403, { ...texts.tokenForged, owner: texts.expInMilliseconds }, CREATE_TOKEN)
    case 'revoked':
      return advised(403, texts.tokenRevoked)
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
  switch (verdict) {
    case 'open_app':
      return { ...texts.openApp, status: 403, actions: [open, ...get], hint }
    case 'open_edge':
      return { ...texts.openEdge, status: 403 }
    case 'open_safari':
      return { ...texts.openSafari, status: 403 }
    case 'no_hardware':
      return { ...texts.noHardware, status: 403, actions: get, hint, scan }
    case 'guidance':
      return {
        ...texts.guidance,
        status: 403,
        // Includes the link into the app: Android in desktop mode claims to be Linux.
        actions: [...get, open],
        hint,
        scan,
      }
  }
}
