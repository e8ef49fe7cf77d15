import { IFRAME_REFERRER_POLICY } from '../../../domain/embed-url.ts'
import type { EmbedDecision } from '../../../domain/embed-access.ts'
import type { Message } from './message-page.ts'
import type { PageTexts, ToldWithAdvice } from './texts/page-texts.ts'

/** A message with the status of its answer, in the language that its texts are in. */
export interface Page extends Message {
  status: number
  /** The page loads this itself, after so many seconds. */
  refresh?: { seconds: number; url: string }
}

/** Where the pages lead. */
export interface Links {
  /** Opens the mobile app. */
  deepLink: string
  /** Where the Android app is to be had; null where the operator has not said. */
  appStore: string | null
  /** The embed, for as long as it cannot be played yet. */
  refresh: string
}

const REFRESH_SECONDS = 5
const REFERRER_POLICY = `referrerpolicy="${IFRAME_REFERRER_POLICY}"`
const CREATE_TOKEN = 'POST /v1/videos/{id}/playback-tokens'

const advised = (status: number, told: ToldWithAdvice, snippet?: string): Page => ({
  ...{ status, title: told.title, text: told.text },
  advice: snippet === undefined ? { text: told.owner } : { text: told.owner, snippet },
})

export const malformed = (texts: PageTexts): Page =>
  advised(400, texts.malformed, 'GET /v1/videos/{id}/embed')

export const notFound = (texts: PageTexts): Page =>
  advised(404, texts.notFound, 'GET /v1/videos/{id}')

export const directPlayNotFound = (texts: PageTexts): Page => advised(404, texts.directPlayNotFound)

/** An error of ours, 500 or 503; a page that was waiting tries again at `retryUrl`. */
export const broken = (texts: PageTexts, retryUrl: string | null, status = 500): Page => ({
  ...{ status, ...texts.broken },
  ...(retryUrl === null ? {} : { refresh: { seconds: REFRESH_SECONDS, url: retryUrl } }),
})

/** The page for every decision but `play`. */
export function pageOf(
  decision: Exclude<EmbedDecision, { kind: 'play' }>,
  texts: PageTexts,
  links: Links,
): Page {
  switch (decision.kind) {
    case 'wait':
      return {
        ...{ status: 200, ...texts.waiting, isWaiting: true },
        refresh: { seconds: REFRESH_SECONDS, url: links.refresh },
      }
    case 'failed':
      return advised(200, texts.failed, 'GET /v1/videos/{id}')
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
  const told = reason === 'domain_blocked' ? texts.domainBlocked : texts.domainNotAllowed
  return {
    ...{ status: 403, title: told.title, text: told.text(host) },
    advice: { text: told.owner(host), snippet: host },
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
  const ask = appStore === null ? { hint: texts.askForApp } : {}
  switch (verdict) {
    case 'open_app':
      return { status: 403, ...texts.openApp, actions: [open, ...get], ...ask }
    case 'open_edge':
      return { status: 403, ...texts.openEdge }
    case 'open_safari':
      return { status: 403, ...texts.openSafari }
    case 'guidance':
      // The app's own link too: Android in desktop mode calls itself Linux.
      return {
        ...{ status: 403, ...texts.guidance, actions: [...get, open], ...ask },
        // Cameras open web addresses alone, and a photograph of the page must not hold the token.
        ...(appStore === null ? {} : { scan: { url: appStore, text: texts.scanForApp } }),
      }
  }
}
