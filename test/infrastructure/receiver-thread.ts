import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const CODE = `
const { createServer } = require('node:https')
const { parentPort, workerData } = require('node:worker_threads')
const { respondsAfterMs, ...pair } = workerData
const server = createServer(pair, (request, response) => {
  setTimeout(() => response.end('ok'), respondsAfterMs)
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

/** An https server in a worker thread, which responds in time while the test's thread is busy. */
export interface ReceiverThread {
  port: number
  close(): Promise<void>
}

/** Starts one that responds to each request with 200 after `respondsAfterMs`; `pair` is its certificate. */
export async function startReceiverThread(
  pair: { key: string; cert: string },
  respondsAfterMs: number,
): Promise<ReceiverThread> {
  const worker = new Worker(CODE, { eval: true, workerData: { ...pair, respondsAfterMs } })
  const [port] = (await once(worker, 'message')) as [number]
  return { port, close: async () => void (await worker.terminate()) }
}

/** Keeps this thread busy for `blockMs` at a time, with one turn of its event loop between, until `stop`. */
export function saturateLoop(blockMs: number): { stop(): void } {
  let isStopped = false
  const block = (): void => {
    if (isStopped) return
    blockLoop(blockMs)
    setImmediate(block)
  }
  setImmediate(block)
  return { stop: () => void (isStopped = true) }
}

/** Keeps this thread busy once. */
export function blockLoop(blockMs: number): void {
  const endsAtMs = performance.now() + blockMs
  while (performance.now() < endsAtMs);
}
