import type { Server } from 'node:http'

const AGAIN_MS = 100

/** Closes a server and its connections, also those that the system had accepted and that it sees only now. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  const again = setInterval(() => server.closeAllConnections(), AGAIN_MS)
  await closed
  clearInterval(again)
}
