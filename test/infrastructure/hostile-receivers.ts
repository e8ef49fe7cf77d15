import type { Socket } from 'node:net'
import { expect } from '@jest/globals'
import type { WebhookAttempt } from '../../db/entities/event.ts'
import { eventually } from './test-network.ts'
import type { TestServer } from './test-network.ts'
import { setUpAttemptFixture } from '../fixtures/webhook-attempts.ts'
import type { AttemptFixture } from '../fixtures/webhook-attempts.ts'

export const OK = 'HTTP/1.1 200 OK\r\n'

/** Far over any attempt that ends by itself, so that a `timeout` cannot pass for another class. */
const FAR_MS = 30_000

type AnyServer = Pick<TestServer, 'port' | 'open'>
export type Behaviour = (socket: Socket) => void

interface AttackOptions {
  deadlineMs?: number
  lookupDeadlineMs?: number
  /** Makes what is delivered longer by so many characters of two bytes each. */
  extraCharacters?: number
}

/** What a test file of hostile receivers works with. */
export interface HostileReceiverFixture {
  t: AttemptFixture
  /**
   * Makes the first attempt of a delivery to `url` and gives its record, once the delivery is as the
   * attempt says: delivered without an error code, else waiting for the second attempt.
   */
  attemptAt: (url: string, options?: AttackOptions) => Promise<WebhookAttempt>
  /** The same for the port of a server for hooks.test, once that server has seen every connection end. */
  attemptAtServer: (server: AnyServer, options?: AttackOptions) => Promise<WebhookAttempt>
  /** The same for a TLS server that behaves like this on each connection. */
  attack: (behaviour: Behaviour, options?: AttackOptions) => Promise<WebhookAttempt>
}

/** Sets the servers up for the tests of one file. */
export function setUpHostileReceiverFixture(): HostileReceiverFixture {
  const t = setUpAttemptFixture()

  const attemptAt = async (
    url: string,
    { deadlineMs = FAR_MS, lookupDeadlineMs = FAR_MS, extraCharacters = 0 }: AttackOptions = {},
  ) => {
    const { id } = await t.webhooks.addEndpoint(url)
    const { deliveryId, eventId } = await t.webhooks.announceTo(id)
    if (extraCharacters > 0) await lengthen(t, eventId, extraCharacters)
    const result = await t.run(deliveryId, { deadlineMs, lookupDeadlineMs })
    const [attempt, ...more] = await t.webhooks.attempts(deliveryId)
    expect(more).toEqual([])
    if (!attempt) throw new Error('The attempt was not recorded.')
    const { errorCode } = attempt
    const retry = { outcome: 'retry', nextNumber: 2, waitMs: 60_000 }
    expect(result).toMatchObject(errorCode === null ? { outcome: 'delivered' } : retry)
    const status = errorCode === null ? 'delivered' : 'pending'
    expect(await t.webhooks.delivery(deliveryId)).toMatchObject({
      status,
      errorCode,
      attemptCount: 1,
    })
    return attempt
  }
  const attemptAtServer = async (server: AnyServer, options?: AttackOptions) => {
    const attempt = await attemptAt(`https://hooks.test:${server.port}/`, options)
    await eventually(() => server.open() === 0)
    return attempt
  }
  const attack = async (behaviour: Behaviour, options?: AttackOptions) =>
    attemptAtServer(await t.network.serveTls(['hooks.test'], behaviour), options)

  return { t, attemptAt, attemptAtServer, attack }
}

/** Makes an event one whose text is that long. */
const lengthen = (t: AttemptFixture, eventId: string, characters: number) =>
  t.webhooks.execute(
    `update event set type = 'video.failed', body = replace(body, '"type":"video.ready"', '"type":"video.failed"')
     where id = ?;
     update event set body = replace(body, '"status":"ready"',
       '"status":"failed","error":"' || repeat('é', ?) || '"') where id = ?`,
    [eventId, characters, eventId],
  )

/** Calls `answer` once the whole request has arrived, body included. */
export function onRequest(answer: Behaviour): Behaviour {
  return (socket) => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const [head = '', body] = text.split('\r\n\r\n', 2)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
      if (body === undefined || body.length < length) return
      socket.removeAllListeners('data')
      answer(socket)
    })
  }
}

/** Answers the whole request with these bytes, and leaves the connection open. */
export const answers = (bytes: string): Behaviour => onRequest((socket) => socket.write(bytes))

/** Bytes that the other side, or the system on its behalf, has taken. */
export interface Poured {
  bytes: number
}

/** Writes `chunk` again and again, as fast as the other side takes it, up to a gigabyte. */
export function pour(socket: Socket, chunk: string | Buffer): Poured {
  const poured = { bytes: 0 }
  let givenBytes = 0
  const taken = (error?: Error | null) => {
    if (!error) poured.bytes += chunk.length
  }
  const more = () => {
    while (!socket.destroyed && givenBytes < GIGABYTE) {
      givenBytes += chunk.length
      if (!socket.write(chunk, taken)) return
    }
  }
  socket.on('drain', more)
  more()
  return poured
}

export const GIGABYTE = 1_000_000_000
