import { Router } from 'express'
import { findCaptionText, findPlayerExtras } from '../../db/player-extras.ts'
import type { PlayerDeps } from './deps.ts'
import { PlayerError } from './player-error.ts'
import { requireSession, sessionKey, sessionOf } from './session.ts'

/** As far as a stored language tag may go. */
const CAPTION_FILE = /^([A-Za-z0-9-]{1,64})\.vtt$/

/** What the player shows beside the film; nothing of it is needed for the first frame. */
export function extrasRouter(deps: PlayerDeps): Router {
  const router = Router()
  const session = requireSession(sessionKey(deps.masterKeys))

  router.get('/sessions/extras', session, async (_request, response) => {
    const { videoId } = sessionOf(response)
    const extras = await findPlayerExtras(deps.db, videoId)
    if (!extras) throw new PlayerError(404, 'video_not_found', 'There is no such video.')
    const media = `/media/${videoId}`
    response.json({
      captions: extras.captions.map(({ languageCode, label }) => ({
        language_code: languageCode,
        label,
        url: `${media}/captions/${encodeURIComponent(languageCode)}.vtt`,
      })),
      chapters: extras.chapters,
      moments: extras.moments,
      storyboard: extras.hasStoryboard
        ? { index_url: `${media}/storyboard.vtt`, image_url: `${media}/storyboard.jpg` }
        : null,
    })
  })

  router.get('/media/:videoId/captions/:file', session, async (request, response) => {
    const [, languageCode] = CAPTION_FILE.exec(String(request.params.file)) ?? []
    const { videoId } = sessionOf(response)
    const text =
      languageCode === undefined ? null : await findCaptionText(deps.db, videoId, languageCode)
    if (text === null) throw new PlayerError(404, 'caption_not_found', 'There is no such caption.')
    response.type('text/vtt; charset=utf-8').send(text)
  })
  return router
}
