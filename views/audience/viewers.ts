import { z } from 'zod'
import type { ProgressRow, ViewerRow } from '../../db/audience/list-viewers.ts'
import { DEFINITIONS } from '../../domain/audience/definitions.ts'
import { COMPLETE_PARTS, countParts, PARTS } from '../../domain/audience/session-measures.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { listSchema } from '../list.ts'
import { isoUtcOrNull, rowId, timestamp } from '../values.ts'

const watched = {
  plays: z.int().meta({ description: DEFINITIONS.plays }),
  watch_seconds: z.number().meta({ description: DEFINITIONS.watch_seconds }),
  first_seen_at: timestamp('When the first page that counts was opened.'),
  last_seen_at: timestamp('When a player of the viewer last sent a heartbeat that is counted.'),
}

/** A viewer of the account. */
export const viewerSchema = z
  .strictObject({
    id: rowId.meta({ description: 'A cursor of the list.', format: 'int64' }),
    object: z.literal('viewer'),
    viewer_id: z.string().meta({ description: 'As verified by the viewer token.' }),
    ...watched,
    is_revoked: z.boolean(),
  })
  .meta({ id: 'Viewer' })

export const viewerListSchema = listSchema(viewerSchema).meta({ id: 'ViewerList' })

const watchedView = (row: Omit<ViewerRow, 'isRevoked'>) => ({
  plays: row.plays,
  watch_seconds: row.watchedMs / 1000,
  first_seen_at: isoUtc(row.firstSeenAt),
  last_seen_at: isoUtc(row.lastSeenAt),
})

/** A viewer of the account. */
export const viewerView = (row: ViewerRow): z.output<typeof viewerSchema> => ({
  id: row.id,
  object: 'viewer',
  viewer_id: row.viewerId,
  ...watchedView(row),
  is_revoked: row.isRevoked,
})

/** How far a viewer is in a video. */
export const progressSchema = z
  .strictObject({
    id: rowId.meta({ description: 'A cursor of the list.', format: 'int64' }),
    object: z.literal('viewer_progress'),
    viewer_id: z.string(),
    video_id: z.string(),
    video_title: z.string().nullable().meta({ description: 'Null if the video is deleted.' }),
    ...watched,
    position: z.number().nullable().meta({ description: 'The last position in seconds.' }),
    progress: z.number().nullable().meta({
      description:
        'The share of the video that was shown in any session of the viewer, in hundredths; null if no player has reported it.',
    }),
    is_complete: z
      .boolean()
      .meta({ description: `At least ${COMPLETE_PARTS} hundredths were shown.` }),
    completed_at: timestamp('When the session in which this was so was last seen.').nullable(),
  })
  .meta({ id: 'ViewerProgress' })

export const progressListSchema = listSchema(progressSchema).meta({ id: 'ViewerProgressList' })

/** How far a viewer is in a video. */
export const progressView = (row: ProgressRow): z.output<typeof progressSchema> => ({
  id: row.id,
  object: 'viewer_progress',
  viewer_id: row.viewerId,
  video_id: row.videoId,
  video_title: row.title,
  ...watchedView(row),
  position: row.positionMs === null ? null : row.positionMs / 1000,
  progress: row.parts === null ? null : countParts(row.parts) / PARTS,
  is_complete: row.completedAt !== null,
  completed_at: isoUtcOrNull(row.completedAt),
})
