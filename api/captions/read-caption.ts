import { isUtf8 } from 'node:buffer'
import { CAPTION_MAX_BYTES } from '../../domain/limits.ts'
import type { Egress } from '../../egress/egress.ts'
import { fetchCaptionSource } from '../../egress/fetch-caption-source.ts'
import { ApiError } from '../../http/api-error.ts'
import { inTurn } from '../link-checks.ts'
import { Turns } from '../turns.ts'
import { checkWebVtt, isShort } from './check-web-vtt.ts'

/** The source of a caption: exactly one of the two. */
interface CaptionSource {
  content?: string | undefined
  source_url?: string | undefined
}

/** What a caption needs of the call that writes it. */
interface CaptionCall {
  deps: { egress: Egress }
  accountId: number
  hold: (bytes: number) => void
  whenGone: () => AbortSignal
}

/** The process of a parser needs up to 150 MB, and a second of a processor for 5 MB. */
const parsers = new Turns({ atOnce: 1, waitingMax: 64 })

/** Returns the checked WebVTT text of a caption, sent inline or fetched. Throws an ApiError. */
export async function readCaption(call: CaptionCall, source: CaptionSource): Promise<string> {
  const { content, source_url: url = '' } = source
  if (content !== undefined) return check(call, content, 'content')
  const param = 'source_url'
  return inTurn(call.accountId, param, async () => {
    call.hold(CAPTION_MAX_BYTES)
    const bytes = await fetchCaptionSource(call.deps.egress, url, call.accountId)
    if (isUtf8(bytes)) return check(call, new TextDecoder().decode(bytes), param)
    throw new ApiError('invalid_caption', { param, message: 'The caption file is not UTF-8.' })
  })
}

async function check(
  { accountId, whenGone }: CaptionCall,
  raw: string,
  param: string,
): Promise<string> {
  if (Buffer.byteLength(raw) > CAPTION_MAX_BYTES)
    throw new ApiError('source_too_large', { param, message: 'A caption has at most 5 MB.' })
  // The WebVTT specification replaces NUL in this way, and PostgreSQL cannot store it.
  const content = raw.replaceAll('\0', '\uFFFD')
  const signal = whenGone()
  const parse = () => checkWebVtt(content, param, { signal })
  await (isShort(content) ? parse() : parsers.take(accountId, signal, parse))
  return content
}
