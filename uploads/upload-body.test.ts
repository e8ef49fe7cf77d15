import { expect, it } from 'vitest'
import { IdleBodyError, LongBodyError, readUploadBody } from './upload-body.ts'

/** A body to which chunks are added while it is read. */
function openBody() {
  const stream = new TransformStream<Buffer, Buffer>(undefined, { highWaterMark: 10 })
  const writer = stream.writable.getWriter()
  return {
    body: stream.readable,
    send: (text: string) => void writer.write(Buffer.from(text)),
    end: () => void writer.close(),
  }
}

const options = { maxBytes: 100, idleMs: 60_000, turnMs: 60_000, shouldYield: () => false }

const textOf = async (turn: AsyncIterable<Buffer>): Promise<string> => {
  let text = ''
  for await (const chunk of turn) text += chunk.toString()
  return text
}

it('the turn of a slow client ends while others wait, and its next one continues', async () => {
  const { body, send, end } = openBody()
  const arriving = readUploadBody(body, { ...options, shouldYield: () => true })
  send('one')
  expect(await arriving.ready()).toBe(true)
  expect(await textOf(arriving.turn())).toBe('one')
  const ready = arriving.ready()
  send('two')
  end()
  expect(await ready).toBe(true)
  expect(await textOf(arriving.turn())).toBe('two')
  expect([await arriving.ready(), arriving.fault(), arriving.receivedBytes()]).toEqual([
    false,
    undefined,
    6,
  ])
})

it('the turn of a slow client goes on while nothing else waits', async () => {
  const { body, send, end } = openBody()
  const arriving = readUploadBody(body, options)
  send('one')
  setTimeout(() => (send('two'), end()), 300)
  expect(await textOf(arriving.turn())).toBe('onetwo')
})

it('ends when nothing arrives for a time, in a turn and between two', async () => {
  for (const read of ['turn', 'ready'] as const) {
    const { body, send } = openBody()
    const arriving = readUploadBody(body, { ...options, idleMs: 200 })
    send('one')
    if (read === 'turn') expect(await textOf(arriving.turn())).toBe('one')
    else {
      const first = arriving.turn()
      await first.next()
      await first.return(undefined)
      expect(await arriving.ready()).toBe(false)
    }
    expect(arriving.fault()).toBeInstanceOf(IdleBodyError)
    expect(await arriving.ready()).toBe(false)
  }
})

it('ends at its most bytes', async () => {
  const { body, send } = openBody()
  const arriving = readUploadBody(body, { ...options, maxBytes: 3 })
  send('one')
  send('x')
  expect(await textOf(arriving.turn())).toBe('one')
  expect(arriving.fault()).toBeInstanceOf(LongBodyError)
})
