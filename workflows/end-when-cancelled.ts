import { CancellationScope, isCancellation } from '@temporalio/workflow'

/**
 * Does `work`. Where it is cancelled, `record` writes that down, which nothing can cancel any more,
 * and the workflow ends as cancelled.
 */
export async function endWhenCancelled<T>(
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
