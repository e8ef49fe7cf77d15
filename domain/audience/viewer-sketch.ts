/**
 * A HyperLogLog sketch of the viewers of a day or month, from which the unique viewers of many days are estimated (Flajolet and
 * others, 2007). 2,048 registers have a standard error of 1.04 / √2048 = 2.3 %; small numbers are nearly exact.
 */

const INDEX_BITS = 11
const REGISTERS = 2 ** INDEX_BITS
/** A register has five bits beside its index in the stored form. */
const RANK_BITS = 5
const RANK_MAX = 31
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS)

/** The standard error of an estimate, as a share. */
export const SKETCH_ERROR = 1.04 / Math.sqrt(REGISTERS)

/** The registers of a sketch: ranks from 0 to 31. */
export type Sketch = Uint8Array

/** Returns the sketch of no viewers. */
export const emptySketch = (): Sketch => new Uint8Array(REGISTERS)

/** Adds a viewer by 64 bits of a hash. Returns whether the sketch has changed. */
export function addToSketch(sketch: Sketch, high: number, low: number): boolean {
  const index = high >>> (32 - INDEX_BITS)
  // 1 + the zeros before the first one, of the bits that do not name the register.
  const rest = (high << INDEX_BITS) >>> 0
  const zeros = rest === 0 ? 32 - INDEX_BITS + Math.clz32(low >>> 0) : Math.clz32(rest)
  const rank = Math.min(RANK_MAX, zeros + 1)
  return raise(sketch, index, rank)
}

/** Returns the sketch of the viewers of all these, which are in their stored form. */
export function uniteStored(all: Iterable<Uint8Array>): Sketch {
  const sketch = emptySketch()
  for (const stored of all) addStored(sketch, stored)
  return sketch
}

/** By index, and without a copy: a range has many sketches. */
function addStored(sketch: Sketch, stored: Uint8Array): void {
  if (stored.length === REGISTERS) {
    for (let at = 0; at < REGISTERS; at += 1) raise(sketch, at, stored[at] ?? 0)
    return
  }
  for (let at = 0; at + 1 < stored.length; at += 2) {
    const pair = ((stored[at] ?? 0) << 8) | (stored[at + 1] ?? 0)
    raise(sketch, pair >> RANK_BITS, pair & RANK_MAX)
  }
}

function raise(sketch: Sketch, index: number, rank: number): boolean {
  if (rank <= (sketch[index] ?? 0)) return false
  sketch[index] = rank
  return true
}

/** Estimates how many viewers a sketch has. */
export function estimateViewers(sketch: Sketch): number {
  let sum = 0
  let empty = 0
  for (const rank of sketch) {
    sum += 2 ** -rank
    if (rank === 0) empty += 1
  }
  const raw = (ALPHA * REGISTERS * REGISTERS) / sum
  const isSmall = raw <= 2.5 * REGISTERS && empty > 0
  return Math.round(isSmall ? REGISTERS * Math.log(REGISTERS / empty) : raw)
}

/** Returns the stored form: two bytes for each register that is not 0, or one byte for each if that is shorter. */
export function packSketch(sketch: Sketch): Uint8Array {
  const used = [...sketch.entries()].filter(([, rank]) => rank > 0)
  if (used.length * 2 >= REGISTERS) return sketch.slice()
  const bytes = new Uint8Array(used.length * 2)
  for (const [at, [index, rank]] of used.entries()) {
    const pair = (index << RANK_BITS) | rank
    bytes[at * 2] = pair >> 8
    bytes[at * 2 + 1] = pair & 255
  }
  return bytes
}

/** Reads the stored form. */
export const unpackSketch = (stored: Uint8Array): Sketch => uniteStored([stored])
