import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A line between browsers and a proxy that can be cut. */
export interface CutLine {
  port: number
  /** Where new connections lead, by the port on this machine. */
  leadTo(port: number): void
  /** Ends all connections, and refuses new ones for a time. */
  cut(milliseconds: number): Promise<void>
  close(): Promise<void>
}

/** Opens a line on a free port of the loopback interface. It holds no more bytes than its sockets do. */
export async function openCutLine(): Promise<CutLine> {
  const sockets = new Set<Socket>()
  let target = 0
  let isCut = false
  const server = createServer((client) => {
    if (isCut) return void client.destroy()
    const upstream = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port
    },
    async cut(milliseconds) {
      isCut = true
      for (const socket of sockets) socket.resetAndDestroy()
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      isCut = false
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
