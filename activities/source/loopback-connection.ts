import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What Linux says of a connection between two processes of this machine. */
interface LoopbackConnection {
  /** The user of the other end. */
  uid: number
  /** Sent by this end and not yet read by the other. */
  waitingBytes: number
}

/** Returns null if the connection has ended, undefined on a system that does not say. */
async function look(socket: Socket): Promise<LoopbackConnection | null | undefined> {
  const table = await readFile('/proc/net/tcp', 'latin1').catch(() => undefined)
  const { localPort, remotePort } = socket
  if (table === undefined) return undefined
  if (localPort === undefined || remotePort === undefined) return null
  const [ours, theirs] = [
    table.match(lineOf(localPort, remotePort)),
    table.match(lineOf(remotePort, localPort)),
  ]
  if (!ours?.groups || !theirs?.groups) return null
  const waiting = [ours.groups.sending, theirs.groups.receiving].map((hex) =>
    parseInt(hex ?? '', 16),
  )
  return {
    uid: Number(theirs.groups.uid),
    waitingBytes: waiting.reduce((sum, bytes) => sum + bytes, 0),
  }
}

/** A line of the table of connections (proc(5), "/proc/net/tcp"). */
function lineOf(localPort: number, remotePort: number): RegExp {
  const port = (number: number): string => number.toString(16).toUpperCase().padStart(4, '0')
  const ends = String.raw`\w{8}:${port(localPort)} \w{8}:${port(remotePort)}`
  const queues = String.raw`(?<sending>\w{8}):(?<receiving>\w{8})`
  return new RegExp(String.raw`: ${ends} \w\w ${queues} \w\w:\w{8} \w{8} +(?<uid>\d+) `)
}

/** Whether the other end belongs to the user of this process. True on a system that does not say. */
export async function isOfThisUser(socket: Socket): Promise<boolean> {
  const connection = await look(socket)
  return connection === undefined || connection?.uid === process.getuid?.()
}

const WAITING_MAX_BYTES = 256 * 1024
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [2, 50]

/**
 * Resolves when the other end has read nearly all that was sent. The kernel would otherwise take some
 * megabytes more of every connection than its reader wants, although that is fetched from storage. A small receive
 * buffer of the tools (`-recv_buffer_size`) saves only half of it: the buffer of this end cannot be set.
 */
export async function untilRead(socket: Socket): Promise<void> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    const connection = socket.destroyed ? null : await look(socket)
    if (!connection || connection.waitingBytes <= WAITING_MAX_BYTES) return
    await sleep(waitMs)
  }
}
