import { isOn } from '../switch.ts'

/** What the address of the embed asks for, beside the video. */
export interface EmbedOptions {
  autoplay: boolean
  muted: boolean
  loop: boolean
  /** Seconds; null where the address names none. */
  startSeconds: number | null
  /** BCP 47, or `off`; null where the address names none. */
  captions: string | null
}

/** Reads the query of the embed's address; what makes no sense there counts as not said. */
export function readOptions(query: string): EmbedOptions {
  const params = new URLSearchParams(query)
  const start = Number(params.get('start') ?? Number.NaN)
  const captions = params.get('captions')
  return {
    autoplay: isOn(params.get('autoplay')),
    muted: isOn(params.get('muted')),
    loop: isOn(params.get('loop')),
    startSeconds: Number.isFinite(start) && start >= 0 ? start : null,
    captions: captions !== null && /^[\w-]{2,35}$/.test(captions) ? captions : null,
  }
}
