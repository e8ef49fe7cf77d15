/** A passage that matches a search, by its key. */
export interface Candidate {
  videoId: string
  languageCode: string
  number: number
  rank: number
}

/** A word may be in hundreds of thousands of passages: so many are ranked at most. */
export const CANDIDATES_MAX = 4_000
/** An even sample of more has so many at most. */
const SAMPLED = 2_000

/** The smallest sample has one in 256 passages. */
export const SAMPLES = 8
const SMALLEST = 2 ** SAMPLES

/** The samples that have a passage: sample 1 has every second passage, sample 2 every fourth, and so on. Ids of videos are random. */
export function samplesOf(videoId: string, number: number): number[] {
  const place = (Number.parseInt(videoId.slice(0, 2), 16) + number) % SMALLEST
  return Array.from({ length: SAMPLES }, (_, index) => index + 1).filter(
    (sample) => place < 2 ** (SAMPLES - sample),
  )
}

/** The sample whose matches are ranked if the smallest one has `count`; 0 if all can be. */
export function sampleToRank(count: number): number {
  const estimate = count * SMALLEST
  if (estimate < CANDIDATES_MAX) return 0
  return Math.min(SAMPLES, Math.ceil(Math.log2(estimate / SAMPLED)))
}

/** So many passages of a video are looked at: the same may be said in several languages. */
const OF_VIDEO_MAX = 6

/** Returns the best candidates, best first, with few of each video. */
export function bestCandidates(candidates: readonly Candidate[], limit: number): Candidate[] {
  const counts = new Map<string, number>()
  const best: Candidate[] = []
  for (const candidate of candidates.toSorted(byRank)) {
    const count = (counts.get(candidate.videoId) ?? 0) + 1
    counts.set(candidate.videoId, count)
    if (count <= OF_VIDEO_MAX) best.push(candidate)
    if (best.length === limit) break
  }
  return best
}

/** In the same order each time, whatever order the index has them in. */
const byRank = (one: Candidate, other: Candidate): number =>
  other.rank - one.rank ||
  compare(one.videoId, other.videoId) ||
  compare(one.languageCode, other.languageCode) ||
  one.number - other.number

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

interface Placed {
  videoId: string
  startMs: number
  endMs: number
}

/** So many moments of a video are returned at most, so that a long one does not fill the list. */
const MOMENTS_OF_VIDEO_MAX = 3

/** Returns the first `limit` moments, without those at a time of a video that a better one has, and with few of each video. */
export function distinctMoments<T extends Placed>(moments: readonly T[], limit: number): T[] {
  const chosen: T[] = []
  for (const moment of moments) {
    if (chosen.length === limit) break
    const ofVideo = chosen.filter(({ videoId }) => videoId === moment.videoId)
    const isSaid = ofVideo.some(
      ({ startMs, endMs }) => moment.startMs < endMs && startMs < moment.endMs,
    )
    if (!isSaid && ofVideo.length < MOMENTS_OF_VIDEO_MAX) chosen.push(moment)
  }
  return chosen
}
