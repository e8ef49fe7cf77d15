import { createServer, type AddressInfo } from 'node:net'

/** A TCP port of the loopback interface that nobody uses at this moment. */
export async function freePort(): Promise<number> {
  const port = await tryListen(0)
  if (port === null) throw new Error('this machine has no free port')
  return port
}

/** Throws an error that names the environment variable to change when `port` is taken. */
export async function assertPortFree(port: number, variable: string): Promise<void> {
  if ((await tryListen(port)) !== null) return
  throw new Error(`port ${port} is taken: choose another with ${variable}=<port>`)
}

function tryListen(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => {
      const { port: listening } = server.address() as AddressInfo
      server.close(() => resolve(listening))
    })
  })
}
