import { Router, type Request, type Response } from 'express'
import { findPosterName, hasPicture } from '../../../db/playback/playback.ts'
import { isVideoId } from '../../../domain/playback/embed-url.ts'
import {
  posterKey,
  STORYBOARD,
  STORYBOARD_INDEX,
  storyboardIndexKey,
  storyboardKey,
} from '../../../domain/videos/media-paths.ts'
import { openFrameTicket, type Frame } from '../../../security/tokens/frame-ticket.ts'
import type { ServerContext } from '../deps.ts'
import { paths } from '../paths.ts'
import type { SessionResponse } from '../session.ts'
import { notFound, sendObject } from './send-object.ts'

/**
 * Serves posters, which are public, and for the tickets of the dashboard storyboards and the pictures that a poster can be chosen from.
 * Responds with JSON to addresses that only look like segments.
 */
export function mediaRouter(context: ServerContext): Router {
  const router = Router()
  router.get(paths.poster(':file'), async (request, response) => {
    const id = String(request.params.file).replace(/\.jpg$/, '')
    const name = isVideoId(id) ? await findPosterName(context.db.em.fork(), id) : null
    if (name === null) throw notFound()
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' })
    await sendStored(context, posterKey(id, name), PICTURE_TYPE, request, response)
  })
  router.get(paths.frame(':ticket'), async (request, response) => {
    const ticket = openFrameTicket(context.masterKeys, String(request.params.ticket), Date.now())
    if (!ticket || !(await hasPicture(context.db.em.fork(), ticket.videoId, ticket.name)))
      throw notFound()
    response.set('Cache-Control', 'private, max-age=300')
    const { key, type } = storedFrame(ticket)
    // The page of the dashboard reads the index, which needs the permission of this host.
    if (type === INDEX_TYPE) response.set('Access-Control-Allow-Origin', '*')
    await sendStored(context, key, type, request, response)
  })
  // `segment-handler.ts` handles all valid segment addresses. Invalid ones get JSON instead of a page.
  router.use(`${paths.rendition(':videoId', ':rendition')}/:file`, () => {
    throw notFound()
  })
  return router
}

const PICTURE_TYPE = 'image/jpeg'
const INDEX_TYPE = 'text/vtt; charset=utf-8'

/** The object that a ticket of the dashboard opens. */
function storedFrame({ videoId, name }: Frame): { key: string; type: string } {
  if (name === STORYBOARD) return { key: storyboardKey(videoId), type: PICTURE_TYPE }
  if (name === STORYBOARD_INDEX) return { key: storyboardIndexKey(videoId), type: INDEX_TYPE }
  return { key: posterKey(videoId, name), type: PICTURE_TYPE }
}

/** The storyboard: one image with all previews, and the WebVTT index into it. */
export function storyboardHandlers(context: ServerContext) {
  return {
    image: async (request: Request, response: SessionResponse): Promise<void> => {
      const key = storyboardKey(response.locals.session.videoId)
      await sendStored(context, key, PICTURE_TYPE, request, response)
    },

    index: async (request: Request, response: SessionResponse): Promise<void> => {
      const key = storyboardIndexKey(response.locals.session.videoId)
      await sendStored(context, key, INDEX_TYPE, request, response)
    },
  }
}

async function sendStored(
  { storage, readPicture }: ServerContext,
  key: string,
  contentType: string,
  request: Request,
  response: Response,
): Promise<void> {
  const object = await readPicture(key, response)
  if (!object) throw notFound()
  await sendObject(request, response, {
    object,
    headers: { 'Content-Type': contentType },
    open: async (range) => (await storage.get(key, range)).stream,
    onSent: () => {},
  })
}
