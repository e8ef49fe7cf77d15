import type { MessageCode, Problems } from '../problems.ts'

/** They may be solved while the page is open. */
const PASSING: readonly MessageCode[] = ['network', 'watermark_lost', 'drm_unavailable']

/**
 * Returns a function that returns the problem that has ended playback or prevented its start, if any. One that may still
 * be solved is such a problem only once the page closes.
 */
export function followError(problems: Problems): (isLast: boolean) => MessageCode | undefined {
  let current: MessageCode | null = null
  problems.follow((code) => (current = code))
  return (isLast) => (current && (isLast || !PASSING.includes(current)) ? current : undefined)
}
