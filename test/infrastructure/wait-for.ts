import { setTimeout as sleep } from 'node:timers/promises'

/** Asks less often the longer it waits: a question may cost a query or a process. */
const pauseMs = (waitedMs: number, minMs: number, maxMs: number): number =>
  Math.min(Math.max(waitedMs / 10, minMs), maxMs)

/** Calls `ask` until it resolves to something; throws an Error that names `what` after `timeoutMs`. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  timeoutMs = 120_000,
): Promise<T> {
  const startedAtMs = performance.now()
  for (;;) {
    const response = await ask()
    if (response) return response
    const waitedMs = performance.now() - startedAtMs
    if (waitedMs > timeoutMs) throw new Error(`${what} did not come within ${timeoutMs} ms`)
    await sleep(pauseMs(waitedMs, 50, 250))
  }
}

/** Waits until a condition that costs little to check is true; throws an Error after `timeoutMs`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 40_000,
): Promise<void> {
  const startedAtMs = performance.now()
  while (!(await condition())) {
    const waitedMs = performance.now() - startedAtMs
    if (waitedMs > timeoutMs) throw new Error('the condition did not become true in time')
    await sleep(pauseMs(waitedMs, 5, 50))
  }
}
