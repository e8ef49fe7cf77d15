/**
 * Calls `end` once, when this process is asked to go: Ctrl-C, SIGTERM, a closed terminal, or the
 * end of the bootstrap that started it, which even a kill -9 of that one shows. `end` must make
 * the process exit.
 */
export function onRequestToEnd(end: (reason: string) => void): void {
  let asked = false
  const once = (reason: string) => {
    if (asked) return
    asked = true
    end(reason)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => once(signal))
  }
  // A terminal or pipe that is gone must not crash the process in the middle of its orderly end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  if (!process.connected) return
  process.on('disconnect', () => once('the bootstrap has ended'))
  // The listener alone would keep a process alive that has done its work.
  process.channel?.unref()
}
