// Sends requests at a fixed rate on some connections, and counts the statuses. Opens a connection again when the server
// ends it. With `waits`, a connection has one request at a time, as those of a proxy do, so that fewer may be sent.
// Usage: node forge-requests.ts FLOOD, a JSON of ForgedFlood
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What is sent. */
export interface ForgedFlood {
  origin: string
  path: string
  referer: string
  perSecond: number
  seconds: number
  connections: number
  waits: boolean
  /** The client's address that a proxy names. */
  forwardedFor?: string
  /** Further headers. */
  headers?: Record<string, string>
}

const flood = JSON.parse(process.argv[2] ?? '') as ForgedFlood
const { origin, path, referer, perSecond, seconds, connections, waits, forwardedFor } = flood
const STEP_MS = 2
/** How long the last responses may take. */
const REST_MS = 5_000

const { hostname, port } = new URL(origin)
const headers = [`Host: ${hostname}`, `Referer: ${referer}`]
if (forwardedFor !== undefined) headers.push(`X-Forwarded-For: ${forwardedFor}`)
for (const [name, value] of Object.entries(flood.headers ?? {})) headers.push(`${name}: ${value}`)
const request = `GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`
const STATUS = 'HTTP/1.1 '
const statuses: Record<string, number> = {}
let opens = 0
/** Connections that the server ended before a response. */
let cutOff = 0
let isOver = false

interface Connection {
  socket: Socket
  sent: number
  completed: number
}

function open(index: number): Connection {
  const socket = connect(Number(port), hostname)
  const connection = { socket, sent: 0, completed: 0 }
  opens += 1
  let rest = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const text = rest + chunk
    let at = text.indexOf(STATUS)
    while (at !== -1 && at + STATUS.length + 3 <= text.length) {
      const status = text.slice(at + STATUS.length, at + STATUS.length + 3)
      statuses[status] = (statuses[status] ?? 0) + 1
      connection.completed += 1
      at = text.indexOf(STATUS, at + STATUS.length + 3)
    }
    // A status line that is split between two chunks; shorter than one that was counted.
    rest = at === -1 ? text.slice(-(STATUS.length - 1)) : text.slice(at)
    if (at === -1 && rest.includes(STATUS)) rest = ''
  })
  // The server may reset a connection that it ends, because it has not read all of it.
  socket.on('error', () => {})
  socket.on('close', () => {
    if (connection.sent > 0 && connection.completed === 0) cutOff += 1
    if (!isOver) opened[index] = open(index)
  })
  return connection
}

const opened = Array.from({ length: connections }, (_, index) => open(index))

const startedAt = performance.now()
const total = perSecond * seconds
let sent = 0
let index = 0
const secondsSince = (): number => (performance.now() - startedAt) / 1000
const mayWrite = ({ sent: count, completed, socket }: Connection): boolean =>
  !socket.destroyed && (!waits || count === completed)

/** Sends what is due, in turns; less if all connections wait. A busy machine sends fewer, and the figures say so. */
function sendDue(dueCount: number): void {
  const count = waits ? 1 : Math.ceil((dueCount - sent) / connections)
  for (let turn = 0; turn < connections && sent < dueCount; turn += 1) {
    const connection = opened[index % connections]
    index += 1
    if (!connection || !mayWrite(connection)) continue
    const some = Math.min(count, dueCount - sent)
    connection.socket.write(request.repeat(some))
    connection.sent += some
    sent += some
  }
}

while (sent < total && secondsSince() < seconds) {
  sendDue(Math.min(total, Math.ceil(secondsSince() * perSecond)))
  await sleep(STEP_MS)
}
const sendingSeconds = secondsSince()
isOver = true
const deadline = performance.now() + REST_MS
const isWaiting = ({ sent: count, completed, socket }: Connection): boolean =>
  completed < count && !socket.destroyed
while (opened.some(isWaiting) && performance.now() < deadline) await sleep(STEP_MS)
for (const { socket } of opened) socket.destroy()
process.stdout.write(JSON.stringify({ sent, statuses, opens, cutOff, sendingSeconds }))
