import {
  planChunk,
  planChunks,
  planLaterChunks,
  type ChunkPlan,
} from '../../domain/encoding/chunks.ts'
import { framesPerSecond } from '../../domain/videos/rendition.ts'
import { createRandom, type Random } from '../../test/chaos/random.ts'
import { queueOf, rangesOf } from '../../workflows/encode-chunks.ts'
import type { EncodeKind, PastVideo } from './encode-history.ts'
import { coreSecondsOf } from './share-core.ts'
import type { WaitingEncode } from './simulate.ts'

/** The measured encodes of a kind: what they encoded, and what they took alone on a core. */
type Measured = Record<EncodeKind, { videoSeconds: number; coreSeconds: number }[]>

/** Returns what the encodes of a video took. */
export function measuredOf({ encodes }: PastVideo): Measured {
  const coreSeconds = coreSecondsOf(encodes)
  const ofKind = (kind: EncodeKind) =>
    encodes.flatMap((one, at) =>
      one.kind === kind
        ? [{ videoSeconds: one.videoSeconds, coreSeconds: coreSeconds[at] ?? 0 }]
        : [],
    )
  return { audio: ofKind('audio'), first: ofKind('first'), later: ofKind('later') }
}

const SEED = 17

/**
 * Returns the encodes of a video like `sample`, but of `durationMs`, in the order in which its workflow requests them, with
 * measured times: of a chunk by chance, but of its length. The order in which the children of a long video
 * begin is random.
 */
export function encodesOf(
  { sample }: PastVideo,
  measured: Measured,
  durationMs: number,
): WaitingEncode[] {
  const random = createRandom(SEED, 'scale', durationMs)
  const { picture, rungs } = sample
  const video = { ...picture.video, durationMs }
  const facts = { ...picture, durationMs, video, audio: [] }
  const plan = planChunks(facts)
  const encode = (kind: EncodeKind, videoSeconds: number): WaitingEncode => ({
    kind,
    queue: queueOf(kind !== 'later'),
    coreSeconds: pick(measured[kind], videoSeconds, random),
  })
  const chunks = (kind: EncodeKind, by: ChunkPlan) =>
    requestOrder({ ...sample, plan: by }, random).map((index) =>
      encode(kind, chunkSeconds(by, video.frameRate, index, durationMs / 1000)),
    )
  const audio = measured.audio.length > 0 ? [encode('audio', durationMs / 1000)] : []
  return [
    ...audio,
    ...chunks('first', plan),
    ...chunks('later', planLaterChunks(plan, facts, rungs)),
  ]
}

function requestOrder(group: Parameters<typeof rangesOf>[0], random: Random): number[] {
  return rangesOf({ ...group, followsPlayheads: false })
    .map((range) => ({ ...range, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .flatMap(({ from, to }) => Array.from({ length: to - from }, (_, offset) => from + offset))
}

function chunkSeconds(plan: ChunkPlan, frameRate: string, index: number, videoSeconds: number) {
  const rate = framesPerSecond(frameRate)
  const { startFrame, endFrame } = planChunk(plan, frameRate, index)
  return (endFrame === null ? videoSeconds : endFrame / rate) - startFrame / rate
}

/** Picks one of the measured encodes whose length is closest, and scales it by what is left of the difference. */
function pick(measured: Measured[EncodeKind], videoSeconds: number, random: Random): number {
  const distance = (one: { videoSeconds: number }): number =>
    Math.abs(Math.log(one.videoSeconds / videoSeconds))
  const least = Math.min(...measured.map(distance))
  const alike = measured.filter((one) => distance(one) < least + ALIKE)
  const one = alike[random.int(alike.length)]
  if (!one) throw new Error('none of this kind was measured')
  return (one.coreSeconds * videoSeconds) / one.videoSeconds
}

/** Lengths within 5 % count as equal. */
const ALIKE = 0.05
