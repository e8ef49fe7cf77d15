import type { z } from 'zod'
import type { CaptionFacts } from '../../db/captions.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import type { captionSchema } from './schemas.ts'

/** The caption object, without its text. */
export const captionView = (caption: CaptionFacts): z.output<typeof captionSchema> => ({
  object: 'caption',
  language_code: caption.languageCode,
  label: caption.label,
  size_bytes: caption.sizeBytes,
  created_at: isoUtc(caption.createdAt),
  updated_at: isoUtc(caption.updatedAt),
})
