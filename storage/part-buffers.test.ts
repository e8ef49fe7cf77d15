import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { s3Server } from '../test/infrastructure/services.ts'
import { gatherParts } from './gather-parts.ts'
import { createStorage } from './object-storage.ts'
import { PART_BYTES, returnPart, takePart } from './part-buffers.ts'

it('a process has 16 parts in memory, and the next upload waits for one of them', async () => {
  const taken = await Promise.all(Array.from({ length: 16 }, takePart))
  let isTaken = false
  const next = takePart().then((part) => {
    isTaken = true
    return part
  })
  await new Promise(setImmediate)
  expect(isTaken).toBe(false)
  const [first, ...others] = taken
  if (first) returnPart(first)
  expect(await next).toBe(first)
  for (const part of [await next, ...others]) returnPart(part)
})

it('uploads that wait for their sources do not hold back others', async () => {
  const storage = createStorage(await s3Server())
  const { promise: later, resolve: goOn } = Promise.withResolvers<void>()
  // One has sent a part; the others have as much as an encryption holds back.
  const [part, rest] = [randomBytes(PART_BYTES + 100_000), randomBytes(100_000)]
  const end = randomBytes(2_000_000)
  async function* slow(start: Buffer) {
    for (let at = 0; at < start.length; at += 1 << 20) yield start.subarray(at, at + (1 << 20))
    await later
    yield end
  }
  const waiting = Array.from({ length: 17 }, (_, number) =>
    storage.putStream(`slow/${number}`, slow(number === 0 ? part : rest), 'a/b'),
  )
  async function* quick() {
    yield* [part, end]
  }
  await storage.putStream('quick', quick(), 'a/b')
  goOn()
  await Promise.all(waiting)
  for (const [number, start] of [part, rest].entries()) {
    const stored = await storage.read(`slow/${number}`, 1 << 30)
    expect(stored?.body?.equals(Buffer.concat([start, end]))).toBe(true)
  }
})

it('an upload that ends while it waits for memory leaves all of it to others', async () => {
  const taken = await Promise.all(Array.from({ length: 16 }, takePart))
  const ended = gatherParts(async () => {})
  const room = ended.room(PART_BYTES)
  await ended.end()
  for (const part of taken) returnPart(part)
  await expect(room).rejects.toThrow('no longer gathered')
  const again = await Promise.all(Array.from({ length: 16 }, takePart))
  for (const part of again) returnPart(part)
})
