import type { Socket } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import type { WebhookAttempt } from '../../db/entities/event.ts'
import { drip } from '../../test/fixtures/egress.ts'
import {
  OK,
  onRequest,
  responds,
  setUpHostileReceiverFixture,
  type Behaviour,
} from '../../test/fixtures/hostile-receivers.ts'

const { t, attack, attemptAtServer } = setUpHostileReceiverFixture()

/** Enough for a handshake on a busy machine; all tests wait at the same time. */
const DEADLINE_MS = 4_000
const options = { deadlineMs: DEADLINE_MS }

const dripping = (head: string, chunk: string): Behaviour =>
  onRequest((socket) => {
    socket.write(head)
    drip(socket, chunk, 50)
  })

/** The head of a ServerHello record that never ends. */
const serverHello = Buffer.from([0x16, 3, 3, 0x3f, 0xff, 2, 0, 0x3f, 0xfb])

const BEFORE_TLS: Record<string, Behaviour> = {
  'it accepts the connection and sends nothing': () => {},
  'it sends nothing after the ClientHello': (socket) => {
    socket.once('data', () => socket.write(serverHello))
  },
  'its handshake drips': (socket) => {
    socket.once('data', () => {
      socket.write(serverHello)
      drip(socket, Buffer.from([3]), 50)
    })
  },
}

const BEFORE_HEADERS: Record<string, Behaviour> = {
  'it reads the request and sends nothing': () => {},
  'it responds once the deadline has passed': onRequest((socket) => {
    // A deadline does not count the delay of a busy process, of at most ten seconds.
    setTimeout(() => socket.write(`${OK}content-length: 0\r\n\r\n`), DEADLINE_MS + 12_000).unref()
  }),
  'its status line drips': dripping('HTTP/1.1 200 ', 'O'),
  'its headers drip': dripping(`${OK}x-slow: `, 'a'),
  'its headers never end': dripping(OK, 'x: y\r\n'),
  'it sends nothing but 103': dripping('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'it sends nothing but 102': dripping('', 'HTTP/1.1 102 Processing\r\n\r\n'),
  'it sends nothing but empty lines': dripping('', '\r\n'),
}

const WITHIN_BODY: Record<string, Behaviour> = {
  'the body never begins': responds(`${OK}content-length: 5\r\n\r\n`),
  'the body stops half-way': responds(`${OK}content-length: 5\r\n\r\nab`),
  'the body without a length never ends': responds(`${OK}\r\nab`),
  'the body drips': dripping(`${OK}content-length: 100000\r\n\r\n`, 'a'),
  'the chunks drip': dripping(`${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'),
  'a chunk extension drips': dripping(`${OK}transfer-encoding: chunked\r\n\r\n1;`, 'a'),
  'the trailers drip': dripping(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x: y\r\n'),
}

const NOT_READING = 'it does not read the request'
const doesNotRead: Behaviour = (socket) => {
  setImmediate(() => socket.pause())
  // A server that does not read does not notice that the client has gone.
  setTimeout(() => socket.resume(), DEADLINE_MS + 500)
}

const attempts: Record<string, WebhookAttempt> = {}

const remember = async (name: string, attempt: Promise<WebhookAttempt>) => {
  attempts[name] = await attempt
}
const attackOverTcp = async (behaviour: (socket: Socket) => void) =>
  attemptAtServer(await t.network.serveTcp(behaviour), options)

beforeAll(async () => {
  t.network.dns.set('hooks.test', ['127.0.0.1'])
  await Promise.all([
    ...Object.entries(BEFORE_TLS).map(([name, behaviour]) =>
      remember(name, attackOverTcp(behaviour)),
    ),
    ...Object.entries({ ...BEFORE_HEADERS, ...WITHIN_BODY }).map(([name, behaviour]) =>
      remember(name, attack(behaviour, options)),
    ),
    remember(NOT_READING, attack(doesNotRead, { ...options, extraCharacters: 8_000_000 })),
  ])
})

// Each attempt also waits until the connection is closed and the attempt recorded.
describe('a receiver that stalls is timeout if', () => {
  const common = { errorCode: 'timeout', remoteIp: '127.0.0.1' }
  const phases = (name: string) => Object.keys(attempts[name]?.timings ?? {}).toSorted()
  const noResponse = { ...common, responseStatus: null, responseBody: null, responseHeaders: {} }

  it.each(Object.keys(BEFORE_TLS))('%s', (name) => {
    expect(attempts[name]).toMatchObject(noResponse)
    expect(phases(name)).toEqual(['connectMs', 'dnsMs'])
  })

  it.each(Object.keys(BEFORE_HEADERS))('%s', (name) => {
    expect(attempts[name]).toMatchObject(noResponse)
    expect(phases(name)).toEqual(['connectMs', 'dnsMs', 'tlsMs'])
  })

  it.each(Object.keys(WITHIN_BODY))('%s, regardless of the status', (name) => {
    expect(attempts[name]).toMatchObject({ ...common, responseStatus: 200 })
    expect(phases(name)).toEqual(['connectMs', 'dnsMs', 'firstByteMs', 'tlsMs'])
  })

  it(NOT_READING, () => {
    expect(attempts[NOT_READING]).toMatchObject(noResponse)
  })
})
