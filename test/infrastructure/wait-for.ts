import { setTimeout as sleep } from 'node:timers/promises'

/** Calls `ask` until it resolves to something; throws an Error that names `what` after `timeoutMs`. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  timeoutMs = 120_000,
): Promise<T> {
  const endsAtMs = performance.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > endsAtMs) throw new Error(`${what} did not come within ${timeoutMs} ms`)
    await sleep(50)
  }
}

/** Waits until a condition that costs little to check is true; throws an Error after `timeoutMs`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 40_000,
): Promise<void> {
  const endsAtMs = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > endsAtMs) throw new Error('the condition did not become true in time')
    await sleep(5)
  }
}
