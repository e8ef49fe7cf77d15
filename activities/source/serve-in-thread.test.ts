import { randomBytes } from 'node:crypto'
import type { Worker } from 'node:worker_threads'
import { describe, expect, it, vi } from 'vitest'
import { until } from '../../test/infrastructure/wait-for.ts'
import { serveInThread } from './serve-in-thread.ts'

const { threads } = vi.hoisted(() => ({ threads: [] as Worker[] }))

vi.mock('node:worker_threads', async (importActual) => {
  const actual = await importActual<typeof import('node:worker_threads')>()
  class CountedWorker extends actual.Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args)
      threads.push(this)
    }
  }
  return { ...actual, Worker: CountedWorker }
})

const bytes = randomBytes(1_000)
const faults: unknown[] = []
const serve = () =>
  serveInThread(
    { name: 'lesson', sizeBytes: bytes.length, local: null },
    { readPiece: () => Promise.resolve(bytes), onFault: (error) => void faults.push(error) },
  )

async function read(address: string): Promise<Buffer> {
  const response = await fetch(address, { headers: { range: 'bytes=0-' } })
  return Buffer.from(await response.arrayBuffer())
}

describe('the thread that serves sources', () => {
  it('is one for all sources; if it ends, each of them has a fault, and the next source starts another', async () => {
    const [one, two] = await Promise.all([serve(), serve()])
    expect((await read(one.address)).equals(bytes)).toBe(true)
    expect((await read(two.address)).equals(bytes)).toBe(true)
    await two.close()
    expect(threads).toHaveLength(1)
    await threads[0]?.terminate()
    await until(() => faults.length > 0)
    expect(faults).toMatchObject([{ message: 'the thread that serves sources has ended' }])
    await one.close()
    const next = await serve()
    expect((await read(next.address)).equals(bytes)).toBe(true)
    await next.close()
    expect([threads.length, faults.length]).toEqual([2, 1])
  })
})
