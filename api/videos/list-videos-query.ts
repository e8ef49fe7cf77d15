import { z } from 'zod'
import {
  EXTERNAL_ID_MAX_LENGTH,
  METADATA_KEY_MAX_LENGTH,
  METADATA_VALUE_MAX_LENGTH,
  SOUGHT_METADATA_MAX,
  SOUGHT_TAGS_MAX,
  TAG_MAX_LENGTH,
  TITLE_MAX_LENGTH,
} from '../../domain/limits.ts'
import { listQuery, numberAsText, rowIdInQuery } from '../../http/list.ts'
import { instant, text } from '../../http/text.ts'
import { protection } from '../../views/accounts/account.ts'
import { videoStatus } from '../../views/videos/video.ts'
import { videoCursor, videoSort } from './video-cursor.ts'

/** In place of the id of a folder. */
export const NO_FOLDER = 'none'

/** A folder of the account, or none. */
export const folderInQuery = z
  .union([z.literal(NO_FOLDER), rowIdInQuery])
  .meta({ description: `\`${NO_FOLDER}\`: the videos without a folder.` })

/** The external id of the video that is sought. */
export const soughtExternalId = text({
  maxLength: EXTERNAL_ID_MAX_LENGTH,
  example: 'course-7/lesson-1',
})

/** Tags of which a video must have all. */
export const soughtTags = z
  .array(text({ maxLength: TAG_MAX_LENGTH, example: 'chemistry' }))
  .max(SOUGHT_TAGS_MAX)

/** Metadata that a video must have. */
export const soughtMetadata = z
  .record(
    text({ maxLength: METADATA_KEY_MAX_LENGTH }),
    text({ maxLength: METADATA_VALUE_MAX_LENGTH }),
  )
  .refine((pairs) => Object.keys(pairs).length <= SOUGHT_METADATA_MAX, {
    message: `must have at most ${SOUGHT_METADATA_MAX} keys`,
  })

const tag = soughtTags.meta({
  description: 'A tag, in any case. Give it several times for videos that have all of them.',
})

const metadata = soughtMetadata.optional().meta({
  description: 'Names and values of your own, as `metadata[course]=7`.',
  example: { course: '7' },
  param: { style: 'deepObject', explode: true },
})

const sort = videoSort.default('-created').meta({
  id: 'VideoSort',
  description:
    'The order of the list; `-` begins with the latest time or the end of the alphabet. By title, small and capital letters are the same, and letters with accents come behind z. Pages of orders other than by `created` begin at a `next_cursor` or `previous_cursor`.',
})

const seconds = numberAsText(z.int().min(0).max(10_000_000), { minimum: 0, maximum: 10_000_000 })

/** What a list of videos is filtered and sorted by, but for the words of titles. */
export const videoFilters = {
  external_id: soughtExternalId.optional(),
  status: videoStatus.optional(),
  folder_id: folderInQuery.optional(),
  protection: protection.optional(),
  tag: tag.optional(),
  metadata,
  'created[gte]': instant('Created at this time or later.').optional(),
  'created[gt]': instant('Created after this time.').optional(),
  'created[lte]': instant('Created at this time or earlier.').optional(),
  'created[lt]': instant('Created before this time.').optional(),
  'updated[gte]': instant('Changed at this time or later.').optional(),
  'updated[gt]': instant('Changed after this time.').optional(),
  'updated[lte]': instant('Last changed at this time or earlier.').optional(),
  'updated[lt]': instant('Last changed before this time.').optional(),
  'duration[gte]': seconds.optional().meta({ description: 'Seconds, at least.' }),
  'duration[gt]': seconds.optional().meta({ description: 'Seconds, more than.' }),
  'duration[lte]': seconds.optional().meta({ description: 'Seconds, at most.' }),
  'duration[lt]': seconds.optional().meta({ description: 'Seconds, less than.' }),
  sort,
}

/** What the cursors of a list of videos are. */
export const VIDEO_CURSORS = {
  starting_after: 'The `next_cursor` of a response, or the last id of the previous page.',
  ending_before: 'The `previous_cursor` of a response, or the first id of the next page.',
}

/** Query of GET /v1/videos. */
export const listVideosQuery = listQuery(
  videoCursor,
  {
    ...videoFilters,
    title: text({
      maxLength: TITLE_MAX_LENGTH,
      description: 'Words of the title, all of them, in any case and order.',
      example: 'opening night',
    }).optional(),
  },
  VIDEO_CURSORS,
)
