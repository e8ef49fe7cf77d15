import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

// Jest loads globalSetup and globalTeardown into separate module registries, hence `globalThis`.
const shared = globalThis as typeof globalThis & { reelgateTestServices?: ChildProcess }

/** Remembers the process of the services from setup to teardown. */
export function holdServices(child: ChildProcess): void {
  shared.reelgateTestServices = child
}

/** Ends the process of the services, if it runs, and waits for its end. */
export async function releaseServices(): Promise<void> {
  const child = shared.reelgateTestServices
  if (!child || child.exitCode !== null) return
  child.stdin?.end()
  await once(child, 'exit')
}
