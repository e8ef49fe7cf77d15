import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A port that a process will listen on, and the environment variable that changes it. */
export interface NeededPort {
  port: number
  variable: string
  host?: string
}

/**
 * Below the ports that systems give to outgoing connections and to servers that ask for any port (Linux: from 32768),
 * so nothing takes a port between its choice and its use. Above 10080, which browsers refuse.
 */
const PORTS = { first: 11_000, last: 32_767 }
const ATTEMPTS_MAX = 100

/** Returns an unused TCP port of the loopback interface. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = randomInt(PORTS.first, PORTS.last + 1)
    if (await isPortFree({ port })) return port
  }
  throw new Error('this machine has no free port')
}

const SERVICES = ['API', 'PLAYER', 'DASHBOARD', 'POSTGRES', 'TEMPORAL', 'TEMPORAL_UI']

/** Returns an unused port for each service of `npm start`, by its environment variable. */
export async function freeServicePorts(): Promise<Record<string, string>> {
  const ports: Record<string, string> = {}
  for (const name of SERVICES) ports[`${name}_PORT`] = String(await freePort())
  return ports
}

/** Whether a process can listen on the port now. */
export function isPortFree({ port, host = '127.0.0.1' }: Omit<NeededPort, 'variable'>) {
  return new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

/** Throws an error that lists every port that is still taken after `timeoutMs`, each with its variable. */
export async function assertPortsFree(needed: NeededPort[], timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const free = await Promise.all(needed.map(isPortFree))
    const taken = needed.filter((_, index) => !free[index])
    if (taken.length === 0) return
    if (Date.now() >= deadline) {
      const lines = taken.map(({ port, variable }) => `${variable}: port ${port} is taken`)
      throw new Error(`${lines.join('\n')}\nChoose others with these environment variables.`)
    }
    await sleep(200)
  }
}
