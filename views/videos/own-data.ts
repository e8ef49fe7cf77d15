import { z } from 'zod'
import type { OwnData } from '../../domain/videos/own-data.ts'

/** What an integrator keeps with a video or an upload. */
export const ownDataSchema = {
  external_id: z.string().nullable().meta({
    description: 'Your own id; null if you have set none.',
    example: 'course-7/lesson-1',
  }),
  tags: z.array(z.string()).meta({ example: ['chemistry'] }),
  metadata: z.record(z.string(), z.string()).meta({
    description: 'Names and values of your own.',
    example: { course: '7', teacher: 'Ada' },
  }),
}

/** The fields of `ownDataSchema`. */
export const ownDataView = ({ externalId, tags, metadata }: OwnData) => ({
  external_id: externalId,
  tags,
  metadata,
})
