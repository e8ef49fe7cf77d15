import { isUtf8 } from 'node:buffer'
import { CAPTION_MAX_BYTES } from '../../domain/limits.ts'
import type { Egress } from '../../egress/egress.ts'
import { fetchCaptionSource } from '../../egress/fetch-caption-source.ts'
import { ApiError, refuseLink } from '../api-error.ts'
import { checkWebVtt } from './check-webvtt.ts'

/** Where a caption comes from: exactly one of the two. */
interface CaptionSource {
  content?: string | undefined
  source_url?: string | undefined
}

/** The WebVTT text of a caption, sent inline or fetched; checked. Throws an ApiError. */
export async function readCaption(egress: Egress, source: CaptionSource): Promise<string> {
  const param = source.content === undefined ? 'source_url' : 'content'
  const raw = source.content ?? (await fetchText(egress, source.source_url ?? ''))
  if (Buffer.byteLength(raw) > CAPTION_MAX_BYTES)
    throw new ApiError('source_too_large', { param, message: 'A caption has at most 5 MB.' })
  // As the WebVTT specification reads it; PostgreSQL would not store it either.
  const content = raw.replaceAll('\0', '\uFFFD')
  await checkWebVtt(content, param)
  return content
}

async function fetchText(egress: Egress, url: string): Promise<string> {
  const param = 'source_url'
  const bytes = await refuseLink(fetchCaptionSource(egress, url), param)
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  throw new ApiError('invalid_caption', { param, message: 'The caption file is not UTF-8.' })
}
