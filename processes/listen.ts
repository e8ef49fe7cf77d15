import { once } from 'node:events'
import type { Server } from 'node:http'
import { readSystemError } from './system-error.ts'

export interface Address {
  host: string
  port: number
}

/** Resolves when the server listens. Throws an error with one line if the port cannot be used. */
export async function listen(server: Server, { host, port }: Address): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = readSystemError(error)
    const why = code === 'EADDRINUSE' ? 'another program uses it' : message
    throw new Error(`Port ${port} of ${host} cannot be used: ${why}.`, { cause: error })
  }
}
