import { z } from 'zod'
import type { EmbeddingHosts } from '../../db/playback/embedding-hosts.ts'
import type { MatchCounts } from '../../db/videos/video-matches.ts'
import type { VideoTitle } from '../../db/videos/write-videos.ts'
import { COUNTED_MATCHES_MAX, TAGS_MAX } from '../../domain/limits.ts'
import { VIDEO_STATUSES } from '../../domain/videos/video-state.ts'
import { rowId } from '../values.ts'
import { TITLE_EXAMPLE, videoId, videoListSchema } from './video.ts'

// What the dashboard shows of several videos: a searched list with its counts, and changes of many.

const count = z.int().min(0)

/** A page of the videos that match a search, with how many there are. */
export const searchedVideosSchema = videoListSchema
  .extend({
    total: count.nullable().meta({
      description: `How many videos match. Null: more than ${COUNTED_MATCHES_MAX} with this \`q\`.`,
    }),
    counts: z
      .strictObject(Object.fromEntries(VIDEO_STATUSES.map((status) => [status, count])))
      .nullable()
      .meta({
        description: `How many match but for the filter \`status\`, by status. Null: more than ${COUNTED_MATCHES_MAX} in all with this \`q\`.`,
      }),
  })
  .meta({ id: 'SearchedVideos' })

/** The two counts of a search. */
export const searchCounts = ({ total, byStatus }: MatchCounts) => ({
  total,
  counts:
    byStatus &&
    Object.fromEntries(VIDEO_STATUSES.map((status) => [status, byStatus.get(status) ?? 0])),
})

/** The hosts that embedded a video, for the dialog of its deletion. */
export const embeddingHostsSchema = z
  .strictObject({
    id: videoId,
    object: z.literal('embedding_hosts'),
    days: z.int().meta({ description: 'The days that are counted, up to now.', example: 7 }),
    plays: count.meta({ description: 'Playback sessions that began in these days.' }),
    hosts: z.array(
      z.strictObject({
        host: z.string().nullable().meta({
          description: 'Null for players that sent no host, such as apps.',
          example: 'courses.example.com',
        }),
        plays: count,
      }),
    ),
  })
  .meta({ id: 'EmbeddingHosts' })

/** The hosts that embedded a video. */
export const embeddingHostsView = (
  id: string,
  days: number,
  { playCount, hosts }: EmbeddingHosts,
): z.output<typeof embeddingHostsSchema> => ({
  id,
  object: 'embedding_hosts',
  days,
  plays: playCount,
  hosts: hosts.map((each) => ({ host: each.host, plays: each.playCount })),
})

const titles = z.array(
  z.strictObject({ id: videoId, title: z.string().meta({ example: TITLE_EXAMPLE }) }),
)

/** The response to the deletion of many videos. */
export const deletedVideosSchema = z
  .strictObject({
    object: z.literal('deleted_videos'),
    count,
    videos: titles,
  })
  .meta({ id: 'DeletedVideos' })

/** The response to the deletion of many videos. */
export const deletedVideosView = (videos: VideoTitle[]): z.output<typeof deletedVideosSchema> => ({
  object: 'deleted_videos',
  count: videos.length,
  videos,
})

/** The response to a move of many videos. */
export const movedVideosSchema = z
  .strictObject({
    object: z.literal('moved_videos'),
    folder_id: rowId.nullable(),
    ids: z.array(videoId),
  })
  .meta({ id: 'MovedVideos' })

/** The response to a move of many videos. */
export const movedVideosView = (
  ids: string[],
  folderId: number | null,
): z.output<typeof movedVideosSchema> => ({ object: 'moved_videos', folder_id: folderId, ids })

/** The response to a change of the tags of many videos. */
export const taggedVideosSchema = z
  .strictObject({
    object: z.literal('tagged_videos'),
    ids: z
      .array(videoId)
      .meta({ description: 'Those that were changed; the others have these tags already.' }),
    full: titles.meta({
      description: `Those that would have more than ${TAGS_MAX} tags, and stay as they are.`,
    }),
  })
  .meta({ id: 'TaggedVideos' })

/** The response to a change of the tags of many videos. */
export const taggedVideosView = ({
  changed,
  full,
}: {
  changed: string[]
  full: VideoTitle[]
}): z.output<typeof taggedVideosSchema> => ({ object: 'tagged_videos', ids: changed, full })
