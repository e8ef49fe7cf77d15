import { z } from 'zod'
import type { ViewerSession } from '../../db/audience/list-viewer-sessions.ts'
import { DEFINITIONS } from '../../domain/audience/definitions.ts'
import { deviceWords } from '../../domain/playback-reports/device-words.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { listSchema } from '../list.ts'
import { playbackSessionId } from '../playback/playing-session.ts'
import { timestamp } from '../values.ts'

const viewerSessionSchema = z
  .strictObject({
    id: playbackSessionId,
    object: z.literal('viewer_session'),
    video_id: z.string(),
    video_title: z.string().nullable().meta({ description: 'Null if the video is deleted.' }),
    host: z.string().nullable().meta({ description: 'Host of the site that embeds the video.' }),
    browser: z.string().nullable(),
    system: z.string().nullable(),
    started_at: timestamp('When the page was opened.'),
    watch_seconds: z.number().meta({ description: DEFINITIONS.watch_seconds }),
    position: z.number().nullable().meta({ description: 'The last position in seconds.' }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'The code of what ended the playback, or prevented its start.' }),
  })
  .meta({ id: 'ViewerSession' })

export const viewerSessionListSchema = listSchema(viewerSessionSchema).meta({
  id: 'ViewerSessionList',
})

/** A playback session of a viewer. */
export const viewerSessionView = (
  session: ViewerSession,
): z.output<typeof viewerSessionSchema> => ({
  id: session.id,
  object: 'viewer_session',
  video_id: session.videoId,
  video_title: session.title,
  host: session.refererHost,
  ...deviceWords(session.userAgent ?? ''),
  started_at: isoUtc(session.startedAt),
  watch_seconds: session.watchedMs / 1000,
  position: session.positionMs === null ? null : session.positionMs / 1000,
  error: session.error,
})
