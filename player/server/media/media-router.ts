import { Router } from 'express'
import type { Request, Response } from 'express'
import { hasPoster } from '../../../db/playback.ts'
import { isVideoId } from '../../../domain/embed-url.ts'
import { posterKey, storyboardIndexKey, storyboardKey } from '../../../domain/media-paths.ts'
import type { PlayerDeps } from '../deps.ts'
import { requireSession, sessionKey } from '../session.ts'
import { notFound, sendObject } from './send-object.ts'

/** Posters, which are public, and storyboards; segments are `segment-handler.ts`. */
export function mediaRouter(deps: PlayerDeps): Router {
  const router = Router()
  const session = requireSession(sessionKey(deps.masterKeys))

  router.get('/posters/:file', async (request, response) => {
    const id = request.params.file.replace(/\.jpg$/, '')
    if (!isVideoId(id) || !(await hasPoster(deps.db.em.fork(), id))) throw notFound()
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' })
    await sendStored(deps, posterKey(id), 'image/jpeg', request, response)
  })

  const storyboard = [
    { file: 'storyboard.jpg', keyOf: storyboardKey, type: 'image/jpeg' },
    { file: 'storyboard.vtt', keyOf: storyboardIndexKey, type: 'text/vtt; charset=utf-8' },
  ]
  for (const { file, keyOf, type } of storyboard)
    router.get(`/media/:videoId/${file}`, session, async (request, response) => {
      await sendStored(deps, keyOf(String(request.params.videoId)), type, request, response)
    })

  // What looks like a segment's address and is none: scripts ask for those, so they get no page.
  router.use('/media/:videoId/:rendition/:file', () => {
    throw notFound()
  })
  return router
}

const IN_MEMORY_MAX_BYTES = 1024 ** 2

async function sendStored(
  { storage }: PlayerDeps,
  key: string,
  contentType: string,
  request: Request,
  response: Response,
): Promise<void> {
  const object = await storage.read(key, IN_MEMORY_MAX_BYTES)
  if (!object) throw notFound()
  await sendObject(request, response, {
    ...{ object, headers: { 'Content-Type': contentType } },
    open: async (range) => (await storage.get(key, range)).stream,
    onSent: () => {},
  })
}
