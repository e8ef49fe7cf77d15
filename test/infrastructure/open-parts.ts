/**
 * Opens what a test file needs, part by part. `open` tells `parts` how each is closed as soon as it opens one: if a later
 * one fails, those are closed, so that the test run can end. `close` closes all, the last one first.
 */
export async function openParts<T extends object>(
  open: (parts: AsyncDisposableStack) => Promise<T>,
): Promise<T & { close: () => Promise<void> }> {
  const parts = new AsyncDisposableStack()
  try {
    return { ...(await open(parts)), close: () => parts.disposeAsync() }
  } catch (error) {
    await parts.disposeAsync()
    throw error
  }
}
