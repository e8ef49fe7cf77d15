import type { Request } from 'express'
import { findCaptionText, findPlayerExtras } from '../../db/videos/player-extras.ts'
import { Bodies } from '../../processes/bodies/read-body.ts'
import type { PlayerExtras } from '../player-data.ts'
import type { ServerContext } from './deps.ts'
import { holdResponse } from './json-body.ts'
import { paths } from './paths.ts'
import { PlayerError } from './player-error.ts'
import type { SessionResponse } from './session.ts'

/** Longer than any stored language tag. */
const CAPTION_FILE = /^([A-Za-z0-9-]{1,64})\.vtt$/

/** What the player shows besides the video: captions, chapters, moments and the storyboard. */
export function extrasHandlers({ db }: ServerContext) {
  // A caption may have 5 MB, and a client that does not read holds them.
  const captions = new Bodies()
  return {
    list: async (_request: Request, response: SessionResponse): Promise<void> => {
      const { videoId } = response.locals.session
      const found = await findPlayerExtras(db, videoId)
      if (!found) throw new PlayerError(404, 'video_not_found', 'There is no such video.')
      const extras: PlayerExtras = {
        captions: found.captions.map(({ languageCode, label }) => ({
          language_code: languageCode,
          label,
          url: paths.caption(videoId, `${encodeURIComponent(languageCode)}.vtt`),
        })),
        chapters: found.chapters,
        moments: found.moments,
        storyboard: found.hasStoryboard
          ? {
              index_url: paths.storyboardIndex(videoId),
              image_url: paths.storyboardImage(videoId),
            }
          : null,
      }
      response.json(extras)
    },

    caption: async (request: Request, response: SessionResponse): Promise<void> => {
      const [, languageCode] = CAPTION_FILE.exec(String(request.params.file)) ?? []
      const { videoId } = response.locals.session
      const text =
        languageCode === undefined ? null : await findCaptionText(db, videoId, languageCode)
      if (text === null)
        throw new PlayerError(404, 'caption_not_found', 'There is no such caption.')
      const body = Buffer.from(text)
      holdResponse(captions, request, response, body.length)
      response.type('text/vtt; charset=utf-8').send(body)
    },
  }
}
