/** A part of the video that was played without a seek. */
export interface Stretch {
  /** Seconds of the video. */
  from: number
  to: number
  /** Seconds from the opening of the page to its beginning, by wall clock. */
  at: number
}

/**
 * Returns stretches in few bytes, because each heartbeat writes them: the three numbers of each one after the other, the length in place of
 * the end, in base 128 with the lowest digits first.
 */
export function packStretches(stretches: readonly Stretch[]): Uint8Array {
  const bytes: number[] = []
  for (const number of stretches.flatMap(({ from, to, at }) => [from, to - from, at])) {
    let rest = number
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
    bytes.push(rest)
  }
  return Uint8Array.from(bytes)
}

/** Reads what `packStretches` returned. */
export function unpackStretches(bytes: Uint8Array): Stretch[] {
  const numbers: number[] = []
  let [number, digit] = [0, 1]
  for (const byte of bytes) {
    number += (byte & 127) * digit
    digit *= 128
    if (byte >= 128) continue
    numbers.push(number)
    ;[number, digit] = [0, 1]
  }
  return Array.from({ length: numbers.length / 3 }, (_, index) => {
    const [from = 0, length = 0, at = 0] = numbers.slice(index * 3)
    return { from, to: from + length, at }
  })
}
