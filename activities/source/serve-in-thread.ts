import { fileURLToPath } from 'node:url'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import type { FromThread, SourceOrder, ToThread } from './source-messages.ts'
import type { ReadPiece } from './source-pieces.ts'
import type { SourceServer } from './source-server.ts'

/** What the process does for a source that its thread serves. */
interface SourceHooks {
  /** Reads the pieces that this machine does not have. */
  readPiece: ReadPiece
  /** Called if a piece cannot be read. A tool takes the cut connection for the end of the file. */
  onFault: (error: unknown) => void
}

let thread: Worker | undefined

/** Serves a source from the thread of this process for sources (ADR 0070), which starts with the first one. */
export async function serveInThread(order: SourceOrder, hooks: SourceHooks): Promise<SourceServer> {
  const { port1: port, port2 } = new MessageChannel()
  const serving = Promise.withResolvers<string>()
  const closed = Promise.withResolvers<void>()
  let isUsed = true
  const fail = (error: unknown): void => {
    serving.reject(error)
    hooks.onFault(error)
  }
  port.on('message', (message: FromThread) => {
    if (message.is === 'serving') serving.resolve(message.address)
    else if (message.is === 'wanted') void sendPiece(port, message.index, hooks)
    else fail(message.error)
  })
  port.once('close', () => {
    closed.resolve()
    if (isUsed) fail(new Error('the thread that serves sources has ended'))
  })
  thread ??= startThread()
  thread.postMessage({ port: port2, order }, [port2])
  const address = await serving.promise
  const close = (): Promise<void> => {
    isUsed = false
    port.postMessage({ is: 'unused' } satisfies ToThread)
    return closed.promise
  }
  return { address, close }
}

async function sendPiece(
  port: MessagePort,
  index: number,
  { readPiece, onFault }: SourceHooks,
): Promise<void> {
  try {
    // A copy, because others of this process may read the same piece.
    const bytes = new Uint8Array(await readPiece(index))
    port.postMessage({ is: 'piece', index, bytes } satisfies ToThread, [bytes.buffer])
  } catch (error) {
    // First, because the thread then reports a fault that does not have the cause.
    onFault(error)
    port.postMessage({ is: 'missing', index } satisfies ToThread)
  }
}

function startThread(): Worker {
  const path = fileURLToPath(import.meta.resolve('./source-thread.ts'))
  const started = new Worker(path, { name: 'sources', env: {}, execArgv: [] })
  // Its ports close when it ends.
  started.once('error', () => undefined)
  started.once('exit', () => void (thread = undefined))
  started.unref()
  return started
}
