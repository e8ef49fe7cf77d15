import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'
import { recordedDurations } from '../../scripts/testing/durations.ts'

// Files that are not in the record took less than five seconds.
const USUAL_SECONDS = 2

/**
 * Starts the slowest files first, so that no long one is left to one worker at the end of a run, and gives each
 * shard files of about the same time. Uses the recorded durations, which are the same on every machine.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return slowestFirst(files)
  }

  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shard } = this.ctx.config
    return shard ? shardOf(files, shard) : files
  }
}

interface TestFile {
  /** The absolute path. */
  moduleId: string
}

const recorded = recordedDurations()
const testPath = ({ moduleId }: TestFile): string =>
  relative(projectDir, moduleId).split(sep).join('/')
const testSeconds = (file: TestFile): number => recorded[testPath(file)] ?? USUAL_SECONDS

/** Returns the files from the slowest to the fastest. */
export const slowestFirst = <File extends TestFile>(files: readonly File[]): File[] =>
  files.toSorted((a, b) => testSeconds(b) - testSeconds(a) || (testPath(a) < testPath(b) ? -1 : 1))

/** Returns the files of one shard; `index` counts from 1. */
export function shardOf<File extends TestFile>(
  files: readonly File[],
  { index, count }: { index: number; count: number },
): File[] {
  const shards = Array.from({ length: count }, () => ({ seconds: 0, files: [] as File[] }))
  for (const file of slowestFirst(files)) {
    const shortest = shards.reduce((a, b) => (b.seconds < a.seconds ? b : a))
    shortest.files.push(file)
    shortest.seconds += testSeconds(file)
  }
  return shards[index - 1]?.files ?? []
}
