import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A port that a process will listen on, and the environment variable that changes it. */
export interface NeededPort {
  port: number
  variable: string
  host?: string
}

/** Returns an unused TCP port of the loopback interface. */
export async function freePort(): Promise<number> {
  const port = await tryListen({ port: 0 })
  if (port === null) throw new Error('this machine has no free port')
  return port
}

/** Whether a process can listen on the port now. */
export const isPortFree = async (needed: Omit<NeededPort, 'variable'>): Promise<boolean> =>
  (await tryListen(needed)) !== null

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

function tryListen({ port, host = '127.0.0.1' }: Omit<NeededPort, 'variable'>) {
  return new Promise<number | null>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(port, host, () => {
      const { port: listening } = server.address() as AddressInfo
      server.close(() => resolve(listening))
    })
  })
}
