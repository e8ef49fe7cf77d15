import { Router } from 'express'
import type { Response } from 'express'
import type { PlayerDeps } from './deps.ts'
import { loadPresentation } from './load-presentation.ts'
import { dashMpd } from './manifests/dash.ts'
import { hlsMaster, hlsMedia } from './manifests/hls.ts'
import type { Presentation } from './manifests/presentation.ts'
import { PlayerError } from './player-error.ts'
import { requireSession, sessionKey, sessionOf } from './session.ts'

const HLS_TYPE = 'application/vnd.apple.mpegurl'

/** Manifests, made for each session from the stored renditions; never cached. */
export function manifestRouter(deps: PlayerDeps): Router {
  const router = Router()
  const session = requireSession(sessionKey(deps.masterKeys))
  const load = async (response: Response): Promise<Presentation> => {
    const presentation = await loadPresentation(deps, sessionOf(response).videoId)
    if (!presentation) throw new PlayerError(404, 'video_not_found', 'There is no such video.')
    return presentation
  }
  router.get('/media/:videoId/manifest.mpd', session, async (_request, response) => {
    response.type('application/dash+xml').send(dashMpd(await load(response)))
  })
  router.get('/media/:videoId/master.m3u8', session, async (_request, response) => {
    response.type(HLS_TYPE).send(hlsMaster(await load(response)))
  })
  router.get('/media/:videoId/:name.m3u8', session, async (request, response) => {
    const presentation = await load(response)
    const rendition = presentation.renditions.find(({ name }) => name === request.params.name)
    if (!rendition) throw new PlayerError(404, 'rendition_not_found', 'There is no such rendition.')
    response.type(HLS_TYPE).send(hlsMedia(presentation, rendition))
  })
  return router
}
