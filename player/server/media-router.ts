import { pipeline } from 'node:stream/promises'
import { Router } from 'express'
import type { Request, Response } from 'express'
import { hasPoster } from '../../db/playback.ts'
import { isVideoId } from '../../domain/embed-url.ts'
import {
  initKey,
  posterKey,
  segmentKey,
  storyboardIndexKey,
  storyboardKey,
} from '../../domain/media-paths.ts'
import { ObjectNotFoundError } from '../../storage/object-storage.ts'
import type { PlayerDeps } from './deps.ts'
import { parseRange } from './byte-range.ts'
import { PlayerError } from './player-error.ts'
import { requireSession, sessionKey } from './session.ts'

const RENDITION = /^(\d{1,4}p|audio-\d{1,2})$/
const SEGMENT = /^([1-9]\d{0,6})\.m4s$/
const FOREVER = 'public, max-age=31536000, immutable'

/**
 * Segments, posters and storyboards. A segment is encrypted and never changes, so it is public and
 * any CDN may keep it for a year; it costs no look-up in the database.
 */
export function mediaRouter(deps: PlayerDeps): Router {
  const router = Router()
  const session = requireSession(sessionKey(deps.masterKeys))

  router.get('/media/:videoId/:rendition/:file', async (request, response) => {
    const key = segmentKeyOf(request.params)
    if (key === null) throw notFound()
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': FOREVER })
    response.once('finish', () => countServed(deps, request.params.videoId, response))
    await sendObject(deps, key, 'video/mp4', request, response)
  })

  router.get('/posters/:file', async (request, response) => {
    const id = request.params.file.replace(/\.jpg$/, '')
    if (!isVideoId(id) || !(await hasPoster(deps.db.em.fork(), id))) throw notFound()
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' })
    await sendObject(deps, posterKey(id), 'image/jpeg', request, response)
  })

  const storyboard = [
    { file: 'storyboard.jpg', keyOf: storyboardKey, type: 'image/jpeg' },
    { file: 'storyboard.vtt', keyOf: storyboardIndexKey, type: 'text/vtt' },
  ]
  for (const { file, keyOf, type } of storyboard)
    router.get(`/media/:videoId/${file}`, session, async (request, response) => {
      await sendObject(deps, keyOf(String(request.params.videoId)), type, request, response)
    })

  return router
}

/** A viewer who leaves in mid-segment is not counted for it. */
function countServed(deps: PlayerDeps, videoId: string, response: Response): void {
  const isBody = response.req.method !== 'HEAD' && [200, 206].includes(response.statusCode)
  if (isBody) deps.countServed(videoId, Number(response.get('Content-Length') ?? 0))
}

function segmentKeyOf(params: { videoId: string; rendition: string; file: string }): string | null {
  const { videoId, rendition, file } = params
  if (!isVideoId(videoId) || !RENDITION.test(rendition)) return null
  if (file === 'init.mp4') return initKey(videoId, rendition)
  const [, number] = SEGMENT.exec(file) ?? []
  return number === undefined ? null : segmentKey(videoId, rendition, Number(number))
}

const notFound = (): PlayerError => new PlayerError(404, 'not_found', 'There is nothing here.')

async function sendObject(
  { storage }: PlayerDeps,
  key: string,
  contentType: string,
  request: Request,
  response: Response,
): Promise<void> {
  const facts = await storage.stat(key)
  if (!facts) throw notFound()
  const etag = `"${facts.etag.replaceAll('"', '')}"`
  response.set({ ETag: etag, 'Accept-Ranges': 'bytes' })
  if (request.get('If-None-Match') === etag) return void response.status(304).end()
  const range = parseRange(request.get('Range'), facts.sizeBytes)
  if (range === 'unsatisfiable')
    return void response.status(416).set('Content-Range', `bytes */${facts.sizeBytes}`).end()
  const { startByte, endByte } = range ?? { startByte: 0, endByte: facts.sizeBytes - 1 }
  response.type(contentType).set('Content-Length', String(endByte - startByte + 1))
  if (range) {
    response.status(206)
    response.set('Content-Range', `bytes ${startByte}-${endByte}/${facts.sizeBytes}`)
  }
  if (request.method === 'HEAD' || facts.sizeBytes === 0) return void response.end()
  await stream(() => storage.get(key, range ?? undefined), response)
}

async function stream(
  open: () => Promise<{ stream: NodeJS.ReadableStream }>,
  response: Response,
): Promise<void> {
  try {
    await pipeline((await open()).stream, response)
  } catch (error) {
    if (error instanceof ObjectNotFoundError) throw notFound()
    // A viewer who seeks or leaves closes the connection in mid-answer.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}
