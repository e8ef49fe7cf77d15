/** The chunks of a rendition, by their indexes from 0; those of neither list wait. */
export interface RecordedChunks {
  count: number
  done: readonly number[]
  running: readonly number[]
}

/** How far a chunk is. */
export const CHUNK_STAGES = ['waiting', 'running', 'done'] as const

type ChunkStage = (typeof CHUNK_STAGES)[number]

/** Neighbouring chunks that are equally far. */
export interface ChunkRun {
  stage: ChunkStage
  count: number
}

/** Returns the chunks in the order of the video. */
export function chunkRunsOf({ count, done, running }: RecordedChunks): ChunkRun[] {
  const stages = Array.from({ length: count }, (): ChunkStage => 'waiting')
  for (const index of running) stages[index] = 'running'
  for (const index of done) stages[index] = 'done'
  const runs: ChunkRun[] = []
  for (const stage of stages) {
    const last = runs.at(-1)
    if (last?.stage === stage) last.count += 1
    else runs.push({ stage, count: 1 })
  }
  return runs
}
