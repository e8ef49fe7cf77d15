import type { ActivityDeps } from '../deps.ts'
import type { ScratchLease, ScratchSpace } from '../scratch/scratch-space.ts'
import { sweepScratch, type WorkFolder } from '../scratch/work-folder.ts'
import { slotBusy } from '../webhooks/slot-busy.ts'
import { removeParts } from './partial-download.ts'
import type { DownloadReservation } from './storage-reservation.ts'

/** How much is reserved at a time for a source whose length is not known. */
const STEP_BYTES = 64 * 2 ** 20

/** What a download reserves in its account's plan and on the disk of this machine. */
export interface ScratchReservation extends DownloadReservation {
  /** Call it first, with the byte at which the file of the download grows. */
  begin(startByte: number): void
  /** Counts what the partial file has. */
  written(bytes: number): void
  /** Gives back what the download has not written. */
  release(): void
}

/**
 * Adds the scratch space to what `plan` reserves. `cover` also throws ScratchFull, a failure that uses no attempt at the
 * link, if the disk lacks the space.
 */
export function reserveScratch(space: ScratchSpace, plan: DownloadReservation): ScratchReservation {
  let lease: ScratchLease | undefined
  return {
    begin(startByte) {
      lease = space.lease(startByte)
    },
    async cover(bytes, isLengthKnown) {
      await plan.cover(bytes, isLengthKnown)
      const size = isLengthKnown ? bytes : bytes + STEP_BYTES
      if (!(await lease?.cover(size))) throw scratchFull()
    },
    covers: (bytes) => plan.covers(bytes) && lease?.covers(bytes) === true,
    settle: (bytes) => plan.settle(bytes),
    written: (bytes) => lease?.written(bytes),
    release: () => lease?.release(),
  }
}

const SCRATCH_FULL = 'ScratchFull'

/** The failure of a download that waits until others have given back their space. */
export const scratchFull = () =>
  slotBusy(SCRATCH_FULL, 'The scratch space has no room for the source yet')

const OUT_OF_SPACE: readonly unknown[] = [SCRATCH_FULL, 'ENOSPC', 'EDQUOT']

/**
 * Gives space back after a failure for the lack of it: the partial file, and what videos have left that ended. Downloads
 * that kept their parts would wait for each other for ever. Does nothing after another failure.
 */
export async function freeScratchAfter(
  error: unknown,
  deps: Pick<ActivityDeps, 'db' | 'workDir' | 'logger'>,
  folder: WorkFolder,
): Promise<void> {
  if (!OUT_OF_SPACE.includes(typeOf(error))) return
  deps.logger.warn({ err: error }, 'the scratch space is full: a download waits')
  await removeParts(folder)
  await sweepScratch(deps)
}

function typeOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return null
  if ('type' in error) return error.type
  return 'code' in error ? error.code : null
}
