/** Pseudorandom numbers: the same seed gives the same sequence. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from 0 to below `limit`. */
  int(limit: number): number
  pick<T>(values: readonly [T, ...T[]]): T
}

/** Creates a generator; `parts` name its purpose, and each purpose has a separate sequence. */
export function createRandom(seed: number, ...parts: (string | number)[]): Random {
  let state = seed | 0
  for (const character of parts.join('/')) state = mix(state ^ character.charCodeAt(0))
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    return (mix(state) >>> 0) / 2 ** 32
  }
  const int = (limit: number): number => Math.floor(next() * limit)
  return { next, int, pick: (values) => values[int(values.length)] ?? values[0] }
}

/** Lets each input bit affect every output bit (the final steps of mulberry32). */
function mix(value: number): number {
  const first = Math.imul(value ^ (value >>> 15), value | 1)
  const second = first ^ (first + Math.imul(first ^ (first >>> 7), first | 61))
  return second ^ (second >>> 14)
}
