// The thread of a process that serves sources to its tools (ADR 0070). Each 64 MB of pieces make V8 mark the whole heap of the
// thread that reads them, and this one has a small heap.
import { parentPort, type MessagePort } from 'node:worker_threads'
import { readKept } from './kept-pieces.ts'
import { readLocal } from './local-source.ts'
import type { FromThread, SourceOrder, ToThread } from './source-messages.ts'
import { serveSource } from './source-server.ts'

/** Serves a source until the process says that it is not used. */
async function serve(port: MessagePort, order: SourceOrder): Promise<void> {
  const send = (message: FromThread): void => port.postMessage(message)
  const { name, sizeBytes, local, kept } = order
  const wanted = new Map<number, PromiseWithResolvers<Uint8Array>>()
  /** Two tools that need the same piece wait for the same message. */
  const askFor = (index: number): Promise<Uint8Array> => {
    const asked = wanted.get(index)
    if (asked) return asked.promise
    const waiting = Promise.withResolvers<Uint8Array>()
    wanted.set(index, waiting)
    send({ is: 'wanted', index })
    return waiting.promise
  }
  const server = await serveSource({
    name,
    sizeBytes,
    isLocal: local !== null,
    readPiece: async (index) =>
      (local && (await readLocal(local, index))) ??
      (kept && (await readKept(kept, index))) ??
      askFor(index),
    onFault: (error) => send({ is: 'fault', error }),
  })
  port.on('message', (message: ToThread) => {
    if (message.is === 'unused') return void server.close().then(() => port.close())
    const waiting = wanted.get(message.index)
    wanted.delete(message.index)
    if (message.is === 'piece') waiting?.resolve(message.bytes)
    else waiting?.reject(new Error('the piece could not be read'))
  })
  send({ is: 'serving', address: server.address })
}

parentPort?.on('message', ({ port, order }: { port: MessagePort; order: SourceOrder }) => {
  serve(port, order).catch((error: unknown) => {
    port.postMessage({ is: 'fault', error } satisfies FromThread)
    port.close()
  })
})
