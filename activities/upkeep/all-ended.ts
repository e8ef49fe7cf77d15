/** Waits for all works, so that none of them uses a file that is removed, and throws the first error. */
export async function allEnded(works: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(works))
    if (result.status === 'rejected') throw result.reason
}
