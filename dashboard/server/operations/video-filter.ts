import { z } from 'zod'
import {
  soughtExternalId,
  soughtMetadata,
  soughtTags,
} from '../../../api/videos/list-videos-query.ts'
import type { VideoQuery } from '../../../db/videos/video-query.ts'
import {
  INDEXED_TITLE_PART_LENGTH,
  SHORT_SEARCH_VIDEOS_MAX,
  TITLE_MAX_LENGTH,
} from '../../../domain/limits.ts'
import { instant, text } from '../../../http/text.ts'
import { protection } from '../../../views/accounts/account.ts'
import { rowId } from '../../../views/values.ts'
import { videoStatus } from '../../../views/videos/video.ts'

/** A part of a title that is sought. */
export const titlePart = text({
  maxLength: TITLE_MAX_LENGTH,
  description: `Part of the title, in any case. One of fewer than ${INDEXED_TITLE_PART_LENGTH} characters is sought in the newest ${SHORT_SEARCH_VIDEOS_MAX} videos.`,
  example: 'opening',
})

const seconds = z.int().min(0).max(10_000_000)

/** In a body: which videos are meant, as a search of the list names them. */
export const videoFilter = z.strictObject({
  q: titlePart.optional(),
  status: videoStatus.optional(),
  folder_id: rowId
    .nullable()
    .optional()
    .meta({ description: 'Null: the videos without a folder.' }),
  protection: protection.optional(),
  external_id: soughtExternalId.optional(),
  tags: soughtTags.optional(),
  metadata: soughtMetadata.optional(),
  created: z
    .strictObject({
      gte: instant('At this time or later.').optional(),
      lt: instant('Before this time.').optional(),
    })
    .optional(),
  duration: z
    .strictObject({ gte: seconds.optional(), lte: seconds.optional() })
    .optional()
    .meta({ description: 'In seconds.' }),
})

/** The search that a filter means. */
export const toQuery = (accountId: number, filter: z.output<typeof videoFilter>): VideoQuery => ({
  accountId,
  titlePart: filter.q,
  status: filter.status,
  folderId: filter.folder_id,
  protection: filter.protection,
  externalId: filter.external_id,
  tags: filter.tags,
  metadata: filter.metadata,
  createdAt: filter.created,
  durationMs: filter.duration && {
    gte: toMs(filter.duration.gte),
    lte: toMs(filter.duration.lte),
  },
})

const toMs = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : value * 1_000
