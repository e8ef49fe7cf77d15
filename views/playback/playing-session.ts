import { z } from 'zod'
import type { PlayingSession } from '../../db/playback/playing-sessions.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { listSchema } from '../list.ts'
import { timestamp } from '../values.ts'

export const playbackSessionId = z.uuid()

/** A playback session that plays now. */
export const playingSessionSchema = z
  .strictObject({
    id: playbackSessionId,
    object: z.literal('playback_session'),
    video_id: z.string(),
    video_title: z.string(),
    viewer_id: z.string().nullable().meta({ description: 'Verified; null without a token.' }),
    host: z.string().nullable().meta({ description: 'Host of the site that embeds the video.' }),
    started_at: timestamp('When the page was opened.'),
    last_seen_at: timestamp('When the player last sent a heartbeat.'),
    position: z.number().nullable().meta({ description: 'In seconds, as the player reports it.' }),
  })
  .meta({ id: 'PlayingSession' })

export const playingSessionListSchema = listSchema(playingSessionSchema).meta({
  id: 'PlayingSessionList',
})

/** A playback session that plays now. */
export const playingSessionView = (
  session: PlayingSession,
): z.output<typeof playingSessionSchema> => ({
  id: session.id,
  object: 'playback_session',
  video_id: session.videoId,
  video_title: session.videoTitle,
  viewer_id: session.viewerId,
  host: session.refererHost,
  started_at: isoUtc(session.startedAt),
  last_seen_at: isoUtc(session.lastSeenAt),
  position: session.positionMs === null ? null : session.positionMs / 1000,
})
