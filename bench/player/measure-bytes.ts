import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { processorSeconds } from '../cores.ts'

export interface ByteRate {
  /** Of bodies. */
  bytesPerSecond: number
  /** Share of one core that the server used, 0 to 1. */
  busy: number
}

interface File {
  path: string
  sizeBytes: number
}

const READ_BUFFER_BYTES = 256 * 1024
const HEAD_BYTES_MAX = 8 * 1024

/**
 * Fetches the files in turn over `connections` kept-alive connections for some seconds. The client
 * only counts, into one buffer for each connection, so that it takes as little of the machine as can
 * be; an answer that is not 200 or has another length ends the measurement with an error.
 */
export async function measureBytes(
  { baseUrl, pid }: { baseUrl: string; pid: number },
  files: File[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<ByteRate> {
  const stopped = new AbortController()
  const counter = { bytes: 0 }
  const running = Array.from({ length: connections }, (_, at) =>
    readAll(new URL(baseUrl), [...files.slice(at), ...files.slice(0, at)], {
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

/** Asks for one file after another on one connection until it is stopped. */
function readAll(
  { hostname, port }: URL,
  files: File[],
  { counter, signal }: { counter: { bytes: number }; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let asked = -1
    let head = ''
    let left = 0
    const next = (): void => {
      asked += 1
      head = ''
      const { path = '' } = files[asked % files.length] ?? {}
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    }
    /** Takes the head of an answer, and returns how many bytes of the chunk are body. */
    const takeHead = (chunk: Buffer): number => {
      head += chunk.toString('latin1', 0, HEAD_BYTES_MAX)
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return 0
      const { sizeBytes } = files[asked % files.length] ?? {}
      if (!head.startsWith('HTTP/1.1 200') || lengthOf(head) !== sizeBytes)
        throw new Error(`not the file that was asked for:\n${head.slice(0, end)}`)
      left = sizeBytes
      return Math.max(0, chunk.length - (end + 4))
    }
    const onChunk = (size: number, buffer: Buffer): void => {
      const body = left > 0 ? size : takeHead(buffer.subarray(0, size))
      counter.bytes += body
      left -= body
      if (left === 0 && head.includes('\r\n\r\n')) next()
    }
    const socket = connect({
      ...{ host: hostname, port: Number(port) },
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
