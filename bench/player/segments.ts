import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerProcess } from '../../test/infrastructure/server-process.ts'
import { processorSeconds } from '../cores.ts'
import { pairsAtLeast, type Figure } from '../figure.ts'
import { pairUp, type Pair } from '../pairs.ts'
import { meanBytes, type PlayerBenchFixture, type SegmentFile } from './fixture.ts'
import { startNginx } from './nginx.ts'

const CONNECTIONS = 16
const WARM_UP_SECONDS = 3
const ROUNDS = 5
const ROUND_SECONDS = 4

/** Of the rate of nginx. */
const RATE_MIN = { large: 0.95, small: 0.5 }

/**
 * Measures the bytes of segments that one core can serve, compared with nginx and the same files. A
 * client on another core cannot always keep a server busy, so the rate is bytes per second of
 * processor time.
 */
export async function measureSegments(fixture: PlayerBenchFixture): Promise<Figure[]> {
  const nginx = await startNginx(fixture.objects, fixture.servers)
  try {
    const figures: Figure[] = []
    for (const size of ['large', 'small'] as const) {
      const files = fixture.segments[size]
      const figure = `segments of ${Math.round(meanBytes(files) / 1000)} kB on one core`
      const pairs = await comparePlayer(figure, { nginx, player: fixture.player }, files)
      figures.push(pairsAtLeast(figure, pairs, 'MB/s', RATE_MIN[size]))
    }
    return figures
  } finally {
    await nginx.stop()
  }
}

async function comparePlayer(
  figure: string,
  servers: { nginx: ServerProcess; player: ServerProcess },
  files: SegmentFile[],
): Promise<Pair[]> {
  const rates = { nginx: [] as number[], player: [] as number[] }
  for (const server of Object.values(servers)) await run(files, server, WARM_UP_SECONDS)
  for (let round = 1; round <= ROUNDS; round += 1)
    for (const name of ['nginx', 'player'] as const) {
      const { bytesPerSecond, busy } = await run(files, servers[name], ROUND_SECONDS)
      rates[name].push(bytesPerSecond / busy / 1e6)
      const share = `its core ${Math.round(busy * 100)} % busy`
      console.error(
        `  … ${figure}, round ${round}, ${name}: ${Math.round(bytesPerSecond / 1e6)} MB/s, ${share}`,
      )
    }
  return pairUp(rates.player, rates.nginx)
}

const run = (files: SegmentFile[], server: ServerProcess, seconds: number) =>
  measureBytes(server, files, { connections: CONNECTIONS, seconds })

interface ByteRate {
  /** Bytes of response bodies. */
  bytesPerSecond: number
  /** Share of one core that the server used, 0 to 1. */
  busy: number
}

const READ_BUFFER_BYTES = 256 * 1024
const HEAD_BYTES_MAX = 8 * 1024

/**
 * Fetches the files repeatedly over kept-alive connections for some seconds. The client only counts
 * bytes, in one buffer per connection, so that it uses little of the machine. Throws if a response is
 * not 200 or has another length.
 */
async function measureBytes(
  { baseUrl, pid }: { baseUrl: string; pid: number },
  files: SegmentFile[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<ByteRate> {
  const stopped = new AbortController()
  const counter = { bytes: 0 }
  const running = Array.from({ length: connections }, (_, index) =>
    readAll(new URL(baseUrl), [...files.slice(index), ...files.slice(0, index)], {
      counter,
      signal: stopped.signal,
    }),
  )
  const processorBefore = processorSeconds(pid)
  const startedAt = performance.now()
  await Promise.race([sleep(seconds * 1000), Promise.all(running)])
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  const { bytes } = counter
  const busy = (processorSeconds(pid) - processorBefore) / elapsedSeconds
  stopped.abort()
  await Promise.all(running)
  return { bytesPerSecond: bytes / elapsedSeconds, busy }
}

/** Requests one file after another on one connection until `signal` aborts. */
function readAll(
  { hostname, port }: URL,
  files: SegmentFile[],
  { counter, signal }: { counter: { bytes: number }; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let requested = -1
    let head = ''
    let left = 0
    const next = (): void => {
      requested += 1
      head = ''
      const { path = '' } = files[requested % files.length] ?? {}
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    }
    /** Reads the head of a response and returns how many bytes of the chunk belong to the body. */
    const readHead = (chunk: Buffer): number => {
      head += chunk.toString('latin1', 0, HEAD_BYTES_MAX)
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return 0
      const { sizeBytes } = files[requested % files.length] ?? {}
      if (!head.startsWith('HTTP/1.1 200') || lengthOf(head) !== sizeBytes)
        throw new Error(`not the requested file:\n${head.slice(0, end)}`)
      left = sizeBytes
      return Math.max(0, chunk.length - (end + 4))
    }
    const onChunk = (size: number, buffer: Buffer): void => {
      const body = left > 0 ? size : readHead(buffer.subarray(0, size))
      counter.bytes += body
      left -= body
      if (left === 0 && head.includes('\r\n\r\n')) next()
    }
    const socket = connect({
      host: hostname,
      port: Number(port),
      onread: {
        buffer: Buffer.alloc(READ_BUFFER_BYTES),
        callback: (size, buffer) => {
          try {
            onChunk(size, Buffer.from(buffer.buffer, buffer.byteOffset, size))
          } catch (error) {
            reject(error as Error)
            socket.destroy()
          }
          return true
        },
      },
    })
    socket
      .once('connect', next)
      .once('error', reject)
      .once('close', () => resolve())
    signal.addEventListener('abort', () => socket.destroy(), { once: true })
  })
}

const lengthOf = (head: string): number =>
  Number(/^content-length: (\d+)\r$/im.exec(head)?.[1] ?? Number.NaN)
