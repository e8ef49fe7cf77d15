import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { passTestServices, pinnedNode } from '../../scripts/bootstrap/tools.mjs'

const addressSchema = z.object({ url: z.string(), prebuiltDir: z.string() })

// Jest loads globalSetup and globalTeardown into separate module registries, hence `globalThis`.
const shared = globalThis as typeof globalThis & { reelgateTestServices?: ChildProcess }

/** Starts the process that starts a service at its first use (Jest's globalSetup). */
export default async function startTestServices(): Promise<void> {
  const server = fileURLToPath(new URL('./services-server.ts', import.meta.url))
  // It ends when its stdin ends, so even a killed Jest leaves nothing behind. In a separate process
  // group, Ctrl-C does not end it before it has stopped the services.
  const child = spawn(pinnedNode, ['--no-warnings', server], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  shared.reelgateTestServices = child
  for await (const line of createInterface({ input: child.stdout })) {
    passTestServices(addressSchema.parse(JSON.parse(line)))
    return
  }
  throw new Error('the test services did not start')
}

/** Ends that process, if it runs, and waits for its end. */
export async function endTestServices(): Promise<void> {
  const child = shared.reelgateTestServices
  if (!child || child.exitCode !== null) return
  child.stdin?.end()
  await once(child, 'exit')
}
