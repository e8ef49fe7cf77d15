import { z } from 'zod'
import {
  DESCRIPTION_MAX_LENGTH,
  EXTERNAL_ID_MAX_LENGTH,
  METADATA_KEY_MAX_LENGTH,
  METADATA_KEYS_MAX,
  METADATA_VALUE_MAX_LENGTH,
  TAG_MAX_LENGTH,
  TAGS_MAX,
  TITLE_MAX_LENGTH,
  URL_MAX_LENGTH,
} from '../../domain/limits.ts'
import type { PathParameter } from '../../http/operation.ts'
import { text } from '../../http/text.ts'
import { TITLE_EXAMPLE, videoId } from '../../views/videos/video.ts'

/** `{id}` of a path below /v1/videos. */
export const videoIdParameter: PathParameter<string> = {
  schema: videoId,
  notFound: 'video_not_found',
}

const title = text({ maxLength: TITLE_MAX_LENGTH, example: TITLE_EXAMPLE })
const description = text({ maxLength: DESCRIPTION_MAX_LENGTH, mayBeEmpty: true })
/** Its bounds are documented but not checked, because an impossible id gets `folder_not_found`. */
const folderId = z.int().meta({ format: 'int64', minimum: 1, example: 7 }).nullable().optional()

/** Body of POST /v1/videos. The egress guard checks the link, including its length. */
export const createVideoBody = z.strictObject({
  source_url: z.string().meta({
    description: `Public https link to the file, on port 443 or 8443, at most ${URL_MAX_LENGTH} characters.`,
    example: 'https://files.example.com/video.mp4',
  }),
  title: title.optional().meta({ description: 'Defaults to the file name in the link.' }),
  description: description.optional(),
  folder_id: folderId.meta({
    description: 'An existing folder of the account; null for no folder.',
  }),
})

export const externalId = text({ maxLength: EXTERNAL_ID_MAX_LENGTH, example: 'course-7/lesson-1' })
  .nullable()
  .meta({ description: 'Your own id; of one video of the account. Null removes it.' })

export const tags = z
  .array(text({ maxLength: TAG_MAX_LENGTH, example: 'chemistry' }))
  .max(TAGS_MAX)
  .meta({
    description:
      'Replaces all tags. Case does not matter: of two that differ in nothing else, the first one stays.',
  })

const metadataKey = text({ maxLength: METADATA_KEY_MAX_LENGTH }).refine(
  (key) => !/[[\]]/.test(key),
  { message: 'must have no square brackets' },
)

export const metadata = z
  .record(metadataKey, text({ maxLength: METADATA_VALUE_MAX_LENGTH, mayBeEmpty: true }).nullable())
  .nullable()
  .meta({
    description: `Names and values of your own, at most ${METADATA_KEYS_MAX}. Keys that are not named keep their values; null or an empty text removes a key, null in place of the object all of them.`,
    example: { course: '7', teacher: 'Ada' },
  })

/** Body of PATCH /v1/videos/{id}. Omitted fields keep their values. */
export const updateVideoBody = z.strictObject({
  title: title.optional(),
  description: description.optional(),
  folder_id: folderId.meta({ description: 'Null removes the video from its folder.' }),
  external_id: externalId.optional(),
  tags: tags.optional(),
  metadata: metadata.optional(),
})

interface NamedFields {
  folder_id?: number | null | undefined
  external_id?: string | null | undefined
}

/** The fields of a video in a body, by the names of its properties. */
export const editOf = <Fields extends NamedFields>({
  folder_id: folderId,
  external_id: externalId,
  ...fields
}: Fields) => ({ folderId, externalId, ...fields })
