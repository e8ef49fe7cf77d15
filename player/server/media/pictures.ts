import { Router, type Request, type Response } from 'express'
import { findPosterName, hasPicture } from '../../../db/playback/playback.ts'
import { isVideoId } from '../../../domain/playback/embed-url.ts'
import { posterKey, storyboardIndexKey, storyboardKey } from '../../../domain/videos/media-paths.ts'
import { openFrameTicket } from '../../../security/tokens/frame-ticket.ts'
import type { ServerContext } from '../deps.ts'
import { paths } from '../paths.ts'
import type { SessionResponse } from '../session.ts'
import { notFound, sendObject } from './send-object.ts'

/**
 * Serves posters, which are public, and the pictures that one can be chosen from, for the tickets of the dashboard.
 * Responds with JSON to addresses that only look like segments.
 */
export function mediaRouter(context: ServerContext): Router {
  const router = Router()
  router.get(paths.poster(':file'), async (request, response) => {
    const id = String(request.params.file).replace(/\.jpg$/, '')
    const name = isVideoId(id) ? await findPosterName(context.db.em.fork(), id) : null
    if (name === null) throw notFound()
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' })
    await sendStored(context, posterKey(id, name), 'image/jpeg', request, response)
  })
  router.get(paths.frame(':ticket'), async (request, response) => {
    const ticket = openFrameTicket(context.masterKeys, String(request.params.ticket), Date.now())
    if (!ticket || !(await hasPicture(context.db.em.fork(), ticket.videoId, ticket.name)))
      throw notFound()
    response.set('Cache-Control', 'private, max-age=300')
    const key = posterKey(ticket.videoId, ticket.name)
    await sendStored(context, key, 'image/jpeg', request, response)
  })
  // `segment-handler.ts` handles all valid segment addresses. Invalid ones get JSON instead of a page.
  router.use(`${paths.rendition(':videoId', ':rendition')}/:file`, () => {
    throw notFound()
  })
  return router
}

/** The storyboard: one image with all previews, and the WebVTT index into it. */
export function storyboardHandlers(context: ServerContext) {
  return {
    image: async (request: Request, response: SessionResponse): Promise<void> => {
      const key = storyboardKey(response.locals.session.videoId)
      await sendStored(context, key, 'image/jpeg', request, response)
    },

    index: async (request: Request, response: SessionResponse): Promise<void> => {
      const key = storyboardIndexKey(response.locals.session.videoId)
      await sendStored(context, key, 'text/vtt; charset=utf-8', request, response)
    },
  }
}

const IN_MEMORY_MAX_BYTES = 1024 ** 2

async function sendStored(
  { storage }: ServerContext,
  key: string,
  contentType: string,
  request: Request,
  response: Response,
): Promise<void> {
  const object = await storage.read(key, IN_MEMORY_MAX_BYTES)
  if (!object) throw notFound()
  await sendObject(request, response, {
    object,
    headers: { 'Content-Type': contentType },
    open: async (range) => (await storage.get(key, range)).stream,
    onSent: () => {},
  })
}
