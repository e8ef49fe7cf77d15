import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Express, Request } from 'express'
import type { Database } from '../../../db/database.ts'
import { findPlayback, type PlaybackFacts } from '../../../db/playback/playback.ts'
import { normaliseHost } from '../../../domain/host-name.ts'
import type { ServerContext } from '../deps.ts'
import { createHeldResponses, type SendLimited } from '../limits/held-responses.ts'
import { setNewest } from '../limits/rate-limit.ts'
import type { PageResponse } from '../pages/send-page.ts'
import { readEmbedPath, readSentToken, withQueryParsed } from './embed-request.ts'
import { embedDecisions } from './embed-router.ts'
import { isLimited, takeRefusal, tooManySender } from './limited-refusals.ts'

/** Handles a request now or later; calls `next` if another handler has to. */
type Gate = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/**
 * Stands before the routes of `app`. Responds to embed requests of a network that has just been limited: one that would be
 * refused costs no log line and hardly a statement, and its response is held. Everything else passes. It decides as the
 * embed page does, so a valid viewer token is not limited; a new secret and new settings count after `FRESH_MS`.
 */
export function floodGate(context: ServerContext, app: Express): Gate {
  const { limits } = context
  const held = createHeldResponses(context.trustedProxies)
  const find = recentPlayback(context.db)
  const limit = limitRefused(context)
  return (incoming, response, next) => {
    if (held.isEnding(incoming)) return
    const params = limits.refusals.hasFlooding() ? embedParams(incoming) : null
    if (params === null) return next()
    const request = asEmbedRequest(incoming, params, app)
    const path = limits.refusals.isFlooding(limits.networksOf(request))
      ? readEmbedPath(params)
      : null
    if (path === null) return next()
    const pass = (facts: PlaybackFacts | null): void => {
      const send = facts && limit(facts, request, response as PageResponse)
      if (send) held.hold(response, send)
      else next()
    }
    const found = find(path.videoId, path.accountId)
    if (found instanceof Promise) void found.then(pass)
    else pass(found)
  }
}

/** Returns a function that counts a request that is refused, and returns what sends its response if it is limited. */
function limitRefused(context: ServerContext) {
  const { assets, directPlayHost } = context
  const decide = embedDecisions(context)
  const send = tooManySender(assets)
  const isDirectPlay = ({ hostname }: Request): boolean =>
    directPlayHost !== null && normaliseHost(hostname ?? '') === directPlayHost
  const isRefused = (facts: PlaybackFacts, request: EmbedPageRequest): boolean => {
    try {
      if (isDirectPlay(request)) return false
      const { viewer, decision } = decide(facts, readSentToken(request), request)
      return isLimited(viewer, decision)
    } catch {
      // The page reports the fault.
      return false
    }
  }
  return (
    facts: PlaybackFacts,
    request: EmbedPageRequest,
    response: PageResponse,
  ): SendLimited | null => {
    if (!isRefused(facts, request)) return null
    response.locals = {}
    const waitMs = takeRefusal(context, request, response)
    if (waitMs > 0) return (headers) => send(response, waitMs, headers)
    response.locals.isCounted = true
    return null
  }
}

type EmbedPageRequest = Request<{ videoId: string; account: string }>

/** Returns the parameters of `EMBED_ROUTE`; null for another address or method. */
function embedParams({ method, url = '' }: IncomingMessage): EmbedPageRequest['params'] | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  const [, videoId, account] = EMBED_URL.exec(url) ?? []
  if (videoId === undefined || account === undefined) return null
  try {
    return { videoId: decodeURIComponent(videoId), account: decodeURIComponent(account) }
  } catch {
    return null
  }
}

/** Also with a host before the path, as in requests to proxies. */
const EMBED_URL = /^(?:https?:\/\/[^/?#]*)?\/([^/?#]+)\/([^/?#]+)\/?(?:[?#]|$)/i

/** Lends a request the methods of Express without its router, which costs more than the decision. */
function asEmbedRequest(
  incoming: IncomingMessage,
  params: EmbedPageRequest['params'],
  app: Express,
): EmbedPageRequest {
  const request = Object.setPrototypeOf(incoming, app.request) as EmbedPageRequest
  request.params = params
  return withQueryParsed(request)
}

/** How old the facts may be by which a request is limited. */
const FRESH_MS = 100
const KNOWN_VIDEOS_MAX = 1000

interface KnownFacts {
  readAtMs: number
  facts: PlaybackFacts | null | Promise<PlaybackFacts | null>
}

/** Returns `findPlayback` without a viewer, which reads each video ten times a second at most. */
function recentPlayback(db: Database) {
  const known = new Map<string, KnownFacts>()
  return (videoId: string, accountId: number): KnownFacts['facts'] => {
    const key = `${videoId}/${accountId}`
    const nowMs = performance.now()
    const last = known.get(key)
    if (last && last.readAtMs > nowMs - FRESH_MS) return last.facts
    const read: KnownFacts = { readAtMs: nowMs, facts: null }
    read.facts = findPlayback(db, videoId, accountId, null).then(
      (found) => (read.facts = found),
      // The page says that the database is away.
      () => null,
    )
    setNewest(known, key, read, KNOWN_VIDEOS_MAX)
    return read.facts
  }
}
