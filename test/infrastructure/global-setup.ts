import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pinnedNode, setTestServicesUrl } from '../../scripts/bootstrap/tools.mjs'
import { holdServices } from './running.ts'

/** Starts the process that starts services when a test asks for them (Jest's globalSetup). */
export default async function startTestServices(): Promise<void> {
  const server = fileURLToPath(new URL('./services-server.ts', import.meta.url))
  // It ends when its stdin does, so even a killed Jest leaves nothing behind. A process group of
  // its own keeps Ctrl-C from ending it before it has stopped what it started.
  const child = spawn(pinnedNode, ['--no-warnings', server], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  holdServices(child)
  for await (const line of createInterface({ input: child.stdout })) {
    setTestServicesUrl(line)
    return
  }
  throw new Error('the test services did not start')
}
