/**
 * Calls `end` once when this process should stop: on Ctrl-C, SIGTERM, a closed terminal, or the end
 * of the bootstrap that started it, even by kill -9. `end` must make the process exit.
 */
export function onShutdownRequest(end: (reason: string) => void): void {
  let isRequested = false
  const once = (reason: string) => {
    if (isRequested) return
    isRequested = true
    end(reason)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => once(signal))
  }
  // A closed terminal or pipe must not crash the process while it stops.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  if (!process.connected) return
  process.on('disconnect', () => once('the bootstrap has ended'))
  // Otherwise the listener would keep a finished process alive.
  process.channel?.unref()
}
