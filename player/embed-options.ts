/** Playback options in the query of an embed address. */
export interface EmbedOptions {
  autoplay: boolean
  muted: boolean
  loop: boolean
  /** Seconds; null if the address has no valid `start`. */
  startSeconds: number | null
  /** BCP 47 tag or `off`; null if the address has no valid `captions`. */
  captions: string | null
  /** True: plays together with other players of the page. */
  together: boolean
  /** True: the bar has buttons that seek ten seconds back and forward. */
  skip: boolean
}

/** Reads the options from a query string. Ignores invalid values. */
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
    together: isOn(params.get('together')),
    skip: isOn(params.get('skip')),
  }
}

/** True if a boolean query parameter is on: `autoplay`, `autoplay=1` or `autoplay=true`. */
export const isOn = (value: unknown): boolean =>
  typeof value === 'string' && ['', '1', 'true'].includes(value)
