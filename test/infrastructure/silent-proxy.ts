import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy that can stop forwarding. */
export interface SilentProxy {
  port: number
  /** Forwards nothing in either direction, on open and on new connections, but closes none. */
  fallSilent(): void
  /** Forwards again, beginning with the bytes that arrived in the meantime. */
  speak(): void
  /** Permanently stops forwarding on the current connections; new connections work. */
  loseConnections(): void
  /** Drops the next chunk that contains `text` and all later ones of its connection, which stays open. */
  swallow(text: string): void
  close(): Promise<void>
}

/** Opens a proxy on a free port of the loopback interface. */
export async function openSilentProxy(target: {
  host: string
  port: number
}): Promise<SilentProxy> {
  const sockets = new Set<Socket>()
  const lost = new Set<Socket>()
  let isSilent = false
  let swallowed: string | null = null
  const lose = (socket: Socket): void => {
    lost.add(socket.pause())
    sockets.delete(socket)
  }
  const join = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on('data', (chunk: Buffer) => {
      if (lost.has(from)) return
      if (swallowed === null || !chunk.includes(swallowed)) return void to.write(chunk)
      swallowed = null
      lose(from)
    })
    from.on('end', () => void to.end())
    from.on('error', () => void to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      lost.delete(from)
      to.destroy()
    })
    if (isSilent) from.pause()
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ ...target, allowHalfOpen: true })
    join(client, upstream)
    join(upstream, client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent() {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    speak() {
      isSilent = false
      for (const socket of sockets) socket.resume()
    },
    loseConnections() {
      for (const socket of sockets) lose(socket)
    },
    swallow(text) {
      swallowed = text
    },
    async close() {
      for (const socket of [...sockets, ...lost]) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Returns `address` with the host and port of the proxy. */
export function throughProxy(address: string, { port }: SilentProxy): string {
  const url = new URL(address)
  url.host = `127.0.0.1:${port}`
  return url.href
}
