/** Reads a time such as `1:05`, `1:02:03` or `65`; returns whole seconds, or null if it is none. */
export function parseClock(text: string): number | null {
  const match = /^(?:(?:(\d{1,4}):)?(\d{1,4}):)?(\d{1,6})$/.exec(text.trim())
  if (!match) return null
  const [, hours = '0', minutes = '0', seconds = '0'] = match
  if (match[2] !== undefined && Number(seconds) > 59) return null
  if (match[1] !== undefined && Number(minutes) > 59) return null
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
