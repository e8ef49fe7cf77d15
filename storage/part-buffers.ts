/** Of every part of an upload but the last. S3 allows 10,000 parts, so objects of 156 GiB. */
export const PART_BYTES = 16 << 20

/** How many parts a process has in memory, unless it says otherwise: 256 MiB. Further uploads wait. */
const PARTS_MAX = 16
/** How many unused buffers stay for the next parts. */
const KEPT_MAX = 4

const kept: Buffer[] = []
const waiting: ((buffer: Buffer) => void)[] = []
let taken = 0
let partsMax = PARTS_MAX

/** Limits how many parts this process has in memory. Call it when the process starts. */
export function limitParts(count: number): void {
  partsMax = count
}

/** Takes the memory of a part; waits until there is some. Return it with `returnPart`. */
export function takePart(): Promise<Buffer> {
  if (taken === partsMax) return new Promise((resolve) => waiting.push(resolve))
  taken += 1
  return Promise.resolve(kept.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES))
}

/** Returns the memory of a part, whose bytes are no longer needed. It is not freed: a request that has failed may still read it. */
export function returnPart(buffer: Buffer): void {
  const next = waiting.shift()
  if (next) return next(buffer)
  taken -= 1
  if (kept.length < KEPT_MAX) kept.push(buffer)
}

/** Whether another writer waits for the memory of a part. */
export const arePartsWanted = (): boolean => waiting.length > 0
