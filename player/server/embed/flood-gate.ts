import type { NextFunction, Request } from 'express'
import { findPlayback } from '../../../db/playback.ts'
import type { PlaybackFacts } from '../../../db/playback.ts'
import type { Database } from '../../../db/database.ts'
import { normaliseHost } from '../../../domain/host-name.ts'
import type { ServerContext } from '../deps.ts'
import { setNewest } from '../limits/rate-limit.ts'
import type { PageResponse } from '../pages/send-page.ts'
import { readEmbedPath, readSentToken } from './embed-request.ts'
import { embedDecisions } from './embed-router.ts'
import { isLimited, takeRefusal, tooManySender } from './limited-refusals.ts'

type EmbedPageRequest = Request<{ videoId: string; account: string }>

/**
 * Answers embed requests of a network that has just been limited, before anything else works on them: one that would be
 * refused costs no log line and hardly a statement. Everything else passes. It decides as the embed page does, so a valid
 * viewer token is not limited; a new secret and new settings count after `FRESH_MS`.
 */
export function floodGate(context: ServerContext) {
  const { limits, assets, directPlayBase } = context
  const decide = embedDecisions(context)
  const send = tooManySender(assets)
  const find = recentPlayback(context.db)
  const directPlayHost = directPlayBase === null ? null : normaliseHost(directPlayBase)
  const isDirectPlay = ({ hostname }: EmbedPageRequest): boolean =>
    directPlayHost !== null && normaliseHost(hostname ?? '') === directPlayHost
  return async (
    request: EmbedPageRequest,
    response: PageResponse,
    next: NextFunction,
  ): Promise<void> => {
    if (!limits.refusals.isFlooding(limits.networksOf(request))) return next()
    const path = isDirectPlay(request) ? null : readEmbedPath(request.params)
    const found = path && find(path.videoId, path.accountId)
    const facts = found instanceof Promise ? await found : found
    if (!facts) return next()
    const { viewer, decision } = decide(facts, readSentToken(request), request)
    if (!isLimited(viewer, decision)) return next()
    const waitMs = takeRefusal(context, request, response)
    if (waitMs > 0) return send(response, waitMs)
    response.locals.isCounted = true
    next()
  }
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
