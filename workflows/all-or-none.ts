import { CancellationScope } from '@temporalio/workflow'

/** One part of a workflow that runs beside others. */
export type Work = () => Promise<void>

/** Runs all works at the same time. If one fails, cancels the others and throws once they have ended. */
export async function allOrNone(works: readonly Work[]): Promise<void> {
  const scope = new CancellationScope()
  const running = works.map((work) => scope.run(work))
  try {
    await Promise.all(running)
  } catch (error) {
    scope.cancel()
    await Promise.allSettled(running)
    throw error
  }
}

/** Wraps `works` so that the last one to finish calls `onDone`. */
export function callAfterLast(works: readonly Work[], onDone: () => void): Work[] {
  let left = works.length
  return works.map((work) => async () => {
    await work()
    left -= 1
    if (left === 0) onDone()
  })
}
