import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  segmentBytes,
  segmentCacheHits,
  segmentFailures,
  segmentRequests,
} from '../../../metrics/playback.ts'
import { newRequestId } from '../../../processes/request-log.ts'
import { lengthOf } from '../../../storage/object-storage.ts'
import type { PlayerDeps, ServerContext } from '../deps.ts'
import { asPlayerError, PlayerError, RETRY_LATER } from '../player-error.ts'
import { CACHE_DEFAULT_BYTES, createObjectCache } from './object-cache.ts'
import {
  createSegmentFinder,
  parseSegmentPath,
  presignSegment,
  REDIRECT_MAX_AGE_SECONDS,
  type SegmentPath,
} from './segment-addresses.ts'
import { notFound, parseRange, sendObject } from './send-object.ts'

/** Handles a request, or returns false if another handler has to. */
export type RawHandler = (request: IncomingMessage, response: ServerResponse) => boolean

type Send = (
  segment: SegmentPath,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>

/** Any site's player may read segments: they are encrypted and the same for every viewer. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Accept-Ranges, Content-Length, Content-Range, ETag',
  'Timing-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
}
const PREFLIGHT = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': 'Range, If-Range, If-None-Match',
  'Access-Control-Max-Age': '86400',
}
const SEGMENT = {
  ...CORS,
  'Content-Type': 'video/mp4',
  'Cache-Control': 'public, max-age=31536000, immutable',
}

/**
 * Serves segments. Runs in front of Express, whose overhead exceeds the time that the operating system
 * needs to send a segment. Segments are encrypted and never change: they are public, CDNs may cache
 * them for a year, and serving one of a cached video needs no database query.
 */
export function segmentHandler(deps: ServerContext): RawHandler {
  const send = deps.redirectOrigin === undefined ? streamSegments(deps) : redirectSegments(deps)
  return (request, response) => {
    const segment = parseSegmentPath(request.url ?? '')
    if (!segment) return false
    if (request.method === 'OPTIONS') {
      response.writeHead(204, PREFLIGHT).end()
    } else if (request.method === 'GET' || request.method === 'HEAD') {
      send(segment, request, response).catch((error: unknown) => fail(deps, response, error))
    } else {
      fail(deps, response, new PlayerError(405, 'method_not_allowed', 'Segments can only be read.'))
    }
    return true
  }
}

function streamSegments({
  db,
  storage,
  segmentCacheBytes,
  countServed,
  growingVideos,
}: ServerContext): Send {
  const cache = createObjectCache(storage, segmentCacheBytes ?? CACHE_DEFAULT_BYTES)
  const find = createSegmentFinder(db, growingVideos)
  return async (segment, request, response) => {
    const { videoId } = segment
    const located = find(segment)
    const { key, sizeBytes } = (located instanceof Promise ? await located : located) ?? {}
    if (key === undefined) throw notFound()
    const found = cache.find(key, sizeBytes ?? 0)
    const object = found instanceof Promise ? await found : found
    if (!object) throw notFound()
    segmentRequests.inc()
    if (object === found) segmentCacheHits.inc()
    // The viewer has left: `close` was already emitted and would not release the object.
    if (response.destroyed) return
    let sentBytes = 0
    const release = cache.hold(object)
    response.once('close', () => {
      release()
      if (sentBytes === 0) return
      countServed(videoId, sentBytes)
      segmentBytes.inc(sentBytes)
    })
    await sendObject(request, response, {
      object,
      headers: SEGMENT,
      open: async (range) => (await storage.get(key, range)).stream,
      onSent: (bytes) => void (sentBytes += bytes),
    })
  }
}

/** Counts a redirected segment as served. The storage does not report how much of it was fetched. */
function redirectSegments({ db, storage, countServed, growingVideos }: ServerContext): Send {
  if (!storage.presign) throw new Error('this storage cannot be redirected to')
  const presign = storage.presign.bind(storage)
  const find = createSegmentFinder(db, growingVideos)
  return async (segment, request, response) => {
    const found = await find(segment)
    const { key, sizeBytes = null } = found ?? {}
    if (key === undefined || sizeBytes === null) throw notFound()
    segmentRequests.inc()
    // The signature is only valid for GET.
    if (request.method === 'HEAD')
      return void response.writeHead(200, { ...SEGMENT, 'Content-Length': sizeBytes }).end()
    const range = parseRange(request.headers.range, sizeBytes)
    const isPart = range !== null && range !== 'unsatisfiable'
    countServed(segment.videoId, isPart ? lengthOf(range) : sizeBytes)
    const kept = `public, max-age=${REDIRECT_MAX_AGE_SECONDS}`
    const url = await presignSegment(presign, key)
    response.writeHead(307, { ...CORS, Location: url, 'Cache-Control': kept }).end()
  }
}

function fail({ logger }: PlayerDeps, response: ServerResponse, error: unknown): void {
  const requestId = newRequestId()
  if (!(error instanceof PlayerError))
    logger.error({ err: error, requestId }, 'a segment could not be sent')
  if (response.headersSent || response.destroyed) return void response.destroy()
  const { status, code, message } = asPlayerError(error)
  segmentFailures.inc({ status: String(status) })
  // Only failed segment requests get an id and a log line: there are too many others.
  logger.info({ requestId, route: 'segment', status, code }, 'request')
  const headers = {
    ...CORS,
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'Request-Id': requestId,
  }
  response
    .writeHead(status, status === 503 ? { ...headers, ...RETRY_LATER } : headers)
    .end(JSON.stringify({ error: { code, message } }))
}
