// Sends requests at a fixed rate on a few connections, without waiting for responses, and counts the statuses.
// Usage: node forge-requests.ts ORIGIN PATH REFERER PER_SECOND SECONDS
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const [origin = '', path = '', referer = '', perSecond = '', seconds = ''] = process.argv.slice(2)
const CONNECTIONS = 20
const STEP_MS = 2
/** How long the last responses may take. */
const REST_MS = 5_000

const { hostname, port } = new URL(origin)
const lines = ['GET ', ' HTTP/1.1\r\nHost: ', '\r\nReferer: ', '\r\n\r\n']
const request = `${lines[0]}${path}${lines[1]}${hostname}${lines[2]}${referer}${lines[3]}`
const STATUS = 'HTTP/1.1 '
const statuses: Record<string, number> = {}
let answered = 0

const sockets = Array.from({ length: CONNECTIONS }, () => {
  const socket = connect(Number(port), hostname)
  let rest = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    const text = rest + chunk
    let at = text.indexOf(STATUS)
    while (at !== -1 && at + STATUS.length + 3 <= text.length) {
      const status = text.slice(at + STATUS.length, at + STATUS.length + 3)
      statuses[status] = (statuses[status] ?? 0) + 1
      answered += 1
      at = text.indexOf(STATUS, at + STATUS.length + 3)
    }
    // A status line that is split between two chunks; shorter than one that was counted.
    rest = at === -1 ? text.slice(-(STATUS.length - 1)) : text.slice(at)
    if (at === -1 && rest.includes(STATUS)) rest = ''
  })
  return socket
})

const startedAt = performance.now()
const total = Number(perSecond) * Number(seconds)
let sent = 0
let socketIndex = 0
const secondsSince = (): number => (performance.now() - startedAt) / 1000
// A busy machine sends fewer, and the figures say so.
while (sent < total && secondsSince() < Number(seconds) + 1) {
  const dueCount = Math.min(total, Math.floor(secondsSince() * Number(perSecond)))
  const count = Math.ceil((dueCount - sent) / CONNECTIONS)
  for (let index = 0; index < CONNECTIONS && sent < dueCount; index += 1) {
    const some = Math.min(count, dueCount - sent)
    sockets[socketIndex % CONNECTIONS]?.write(request.repeat(some))
    socketIndex += 1
    sent += some
  }
  await sleep(STEP_MS)
}
const sendingSeconds = secondsSince()
const deadline = performance.now() + REST_MS
while (answered < sent && performance.now() < deadline) await sleep(STEP_MS)
const answeredSeconds = secondsSince()
for (const socket of sockets) socket.destroy()
process.stdout.write(JSON.stringify({ sent, answered, statuses, sendingSeconds, answeredSeconds }))
