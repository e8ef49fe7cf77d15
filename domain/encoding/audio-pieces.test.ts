import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AUDIO_RATE, audioPieceOf, PACKET_SAMPLES } from './audio-pieces.ts'
import { planChunk, segmentFrames, segmentSeconds } from './chunks.ts'
import { joinedLoudness } from './loudness.ts'

const RATES = ['25/1', '24000/1001', '30000/1001', '60/1', '15.13/1', '1/1']

describe('the audio of a chunk', () => {
  it('is whole packets, joins the next one, and begins with its picture or less than a packet later', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...RATES),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 2, max: 300 }),
        (rate, segments, count) => {
          const plan = { chunkFrames: segments * segmentFrames(rate), count }
          for (let index = 0; index < count - 1; index += 1) {
            const chunk = planChunk(plan, rate, index)
            const { startSample, endSample } = audioPieceOf(chunk, rate)
            const next = audioPieceOf(planChunk(plan, rate, index + 1), rate)
            expect(next.startSample).toBe(endSample)
            expect(startSample % PACKET_SAMPLES).toBe(0)
            const seconds = (chunk.firstSegment - 1) * segmentSeconds(rate)
            const lateMs = startSample / (AUDIO_RATE / 1000) - seconds * 1000
            expect(lateMs).toBeLessThan(22)
            // Less than a sample for each segment.
            expect(lateMs).toBeGreaterThan(-(chunk.firstSegment / AUDIO_RATE) * 1000 - 1e-6)
          }
          expect(audioPieceOf(planChunk(plan, rate, count - 1), rate).endSample).toBeNull()
        },
      ),
      { numRuns: 20 },
    )
  })
})

describe('the loudness of a track of pieces', () => {
  it('is the mean of its blocks, without those that are silent or much quieter', () => {
    const loud = { blocks: { '-200': 10 }, truePeakDbtp: -3 }
    const quiet = { blocks: { '-200': 10, '-500': 30, '-690': 5 }, truePeakDbtp: -9 }
    expect(joinedLoudness([loud, quiet])).toEqual({ integratedLufs: -20, truePeakDbtp: -3 })
    expect(joinedLoudness([{ blocks: {}, truePeakDbtp: null }])).toEqual({
      integratedLufs: null,
      truePeakDbtp: null,
    })
  })
})
