import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  addToSketch,
  emptySketch,
  estimateViewers,
  packSketch,
  SKETCH_ERROR,
  uniteStored,
  unpackSketch,
  type Sketch,
} from './viewer-sketch.ts'

function add(sketch: Sketch, viewerId: string): boolean {
  const hash = createHash('sha256').update(viewerId).digest()
  return addToSketch(sketch, hash.readUInt32BE(0), hash.readUInt32BE(4))
}

function sketchOf(count: number, first = 0): Sketch {
  const sketch = emptySketch()
  for (let at = first; at < first + count; at += 1) add(sketch, `viewer-${at}`)
  return sketch
}

describe('a sketch of viewers', () => {
  it('estimates the number of different viewers within four standard errors', () => {
    expect(estimateViewers(emptySketch())).toBe(0)
    for (const count of [1, 10, 100, 1_000, 5_000, 10_000, 100_000, 300_000])
      expect(Math.abs(estimateViewers(sketchOf(count)) - count)).toBeLessThanOrEqual(
        Math.ceil(4 * SKETCH_ERROR * count),
      )
  })

  it('does not change by a viewer whom it has', () => {
    const sketch = sketchOf(500)
    expect(add(sketch, 'viewer-7')).toBe(false)
  })

  it('of two days has the viewers of both, each once', () => {
    const both = uniteStored([packSketch(sketchOf(1_000)), packSketch(sketchOf(1_000, 500))])
    expect(both).toEqual(sketchOf(1_500))
  })

  it('is stored in two bytes for each of few viewers, and in 2,048 at most', () => {
    for (const count of [0, 1, 3, 500, 1_000, 2_000, 50_000]) {
      const sketch = sketchOf(count)
      const bytes = packSketch(sketch)
      expect(bytes.length).toBeLessThanOrEqual(Math.min(2 * count, 2_048))
      expect(unpackSketch(bytes)).toEqual(sketch)
    }
  })
})
