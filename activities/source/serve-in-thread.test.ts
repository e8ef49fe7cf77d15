import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'

/** Ends the thread of a process in the middle, and prints what its sources and the next one made of it. */
const SCRIPT = `
  import { syncBuiltinESMExports } from 'node:module'
  import threads from 'node:worker_threads'
  const started = []
  threads.Worker = class extends threads.Worker {
    constructor(...args) {
      super(...args)
      started.push(this)
    }
  }
  syncBuiltinESMExports()
  const { serveInThread } = await import('./activities/source/serve-in-thread.ts')
  const faults = []
  const serve = () =>
    serveInThread(
      { name: 'lesson', sizeBytes: 5, local: null, kept: null },
      { readPiece: async () => Buffer.from('bytes'), onFault: (error) => faults.push(error.message) },
    )
  const read = async ({ address }) =>
    (await fetch(address, { headers: { range: 'bytes=0-' } })).text()
  const [one, two] = await Promise.all([serve(), serve()])
  const before = [await read(one), await read(two)]
  await two.close()
  const first = started.length
  await started[0].terminate()
  while (faults.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await one.close()
  const next = await serve()
  const after = await read(next)
  await next.close()
  console.log(JSON.stringify({ before, first, faults, after, last: started.length }))`

describe('the thread that serves sources', () => {
  it('is one for all of a process; if it ends, each source that it serves has a fault, the next source starts another, and the process can end', async () => {
    const { stdout } = await execa(pinnedNode, ['--input-type=module', '-e', SCRIPT], {
      cwd: projectDir,
      timeout: 60_000,
    })
    expect(JSON.parse(stdout)).toEqual({
      before: ['bytes', 'bytes'],
      first: 1,
      faults: ['the thread that serves sources has ended'],
      after: 'bytes',
      last: 2,
    })
  })
})
