import { CancellationScope, isCancellation } from '@temporalio/workflow'

/** Runs `work`. If it is cancelled, runs `record`, which cannot be cancelled, and ends the workflow as cancelled. */
export async function recordWhenCancelled<T>(
  work: () => Promise<T>,
  record: () => Promise<void>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(record)
    throw error
  }
}
