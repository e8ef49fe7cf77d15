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
const [SHORTEST_WAIT_MS, LONGEST_WAIT_MS] = [2, 500]
/** Of the time so far. A steady reader has not read `WAITING_MAX_BYTES` of a piece in it. */
const WAIT_SHARE = 1 / 4
/** Of the time that the last piece took, before the first look. */
const FIRST_WAIT_SHARE = 3 / 4
/** A reader that takes pieces faster never waits for a look. */
const FAST_MS = 50

/**
 * Returns a function that resolves when the other end has read nearly all that was sent; called after each piece. The kernel
 * would otherwise take some megabytes more of every connection than its reader wants, although that is fetched from storage. A
 * small receive buffer of the tools (`-recv_buffer_size`) saves only half of it: the buffer of this end cannot be set.
 *
 * One look takes up to 3 ms of the processor, because the kernel walks its whole table of connections. So the time that the last
 * piece took decides when to look, and a piece takes some three looks, not one every few milliseconds.
 */
export function createReadWatch(socket: Socket): () => Promise<void> {
  let lastMs = 0
  return async () => {
    const startedAt = performance.now()
    const firstWaitMs = lastMs < FAST_MS ? 0 : lastMs * FIRST_WAIT_SHARE
    if (firstWaitMs > 0) await wait(firstWaitMs)
    // It may have been read long ago.
    if (await isRead(socket)) return void (lastMs = firstWaitMs / 2)
    do await wait(Math.max(SHORTEST_WAIT_MS, (performance.now() - startedAt) * WAIT_SHARE))
    while (!(await isRead(socket)))
    lastMs = performance.now() - startedAt
  }
}

const wait = (ms: number): Promise<void> => sleep(Math.min(ms, LONGEST_WAIT_MS))

async function isRead(socket: Socket): Promise<boolean> {
  const connection = socket.destroyed ? null : await look(socket)
  return !connection || connection.waitingBytes <= WAITING_MAX_BYTES
}
