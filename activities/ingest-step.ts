import { CancelledFailure } from '@temporalio/common'
import { Context } from '@temporalio/activity'
import { endReports } from './report-progress.ts'
import { stepFailure } from './step-failure.ts'

/** A hung tool is dead by then; what still waits is a request of the storage, which has no deadline. */
const STOP_MS = 10_000

/**
 * Runs an activity of an ingest and says what its failure means (`step-failure.ts`). One that was told to stop
 * ends as cancelled, whatever it failed with then: a killed encoder and a closed connection have errors of
 * their own. It then ends within 10 s even where it hangs, so that it does not hold its slot.
 */
export const ingestStep =
  <Input, Result>(activity: (input: Input) => Promise<Result>) =>
  async (input: Input): Promise<Result> => {
    const context = Context.current()
    const signal = context.cancellationSignal
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    let timer: NodeJS.Timeout | undefined
    const stop = (): void => {
      timer = setTimeout(() => reject(new CancelledFailure('it did not stop in time')), STOP_MS)
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await Promise.race([activity(input), stopped]).finally(() => endReports(context))
    } catch (error) {
      throw signal.aborted ? new CancelledFailure('told to stop') : stepFailure(error)
    } finally {
      signal.removeEventListener('abort', stop)
      clearTimeout(timer)
    }
  }
