import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { passTestServices, pinnedNode } from '../../scripts/bootstrap/tools.mjs'

const addressSchema = z.object({ url: z.string(), prebuiltDir: z.string() })

/**
 * Starts the process that starts a service at its first use, before the first test file. Returns a function that ends
 * that process and waits for its end (Vitest's globalSetup).
 */
export default async function startTestServices(): Promise<() => Promise<void>> {
  const server = fileURLToPath(new URL('./services-server.ts', import.meta.url))
  // It ends when its stdin ends, so even a killed run leaves nothing behind. In a separate process
  // group, Ctrl-C does not end it before it has stopped the services.
  const child = spawn(pinnedNode, ['--no-warnings', server], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  for await (const line of createInterface({ input: child.stdout })) {
    passTestServices(addressSchema.parse(JSON.parse(line)))
    return () => endServices(child)
  }
  throw new Error('the test services did not start')
}

async function endServices(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.stdin?.end()
  await once(child, 'exit')
}
