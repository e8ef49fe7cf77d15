import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook } from '../../../sdk/src/index.ts'

/** A request as a receiver sees it, its body whole. */
interface Incoming {
  method: string
  headers: IncomingHttpHeaders
  raw: Buffer
}

interface Reply {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** What a receiver answers; null hangs up, and a rejection is a 500. */
export type Receiver = (incoming: Incoming, secret: string) => Promise<Reply | null>

export interface ReceiverEvent {
  id: string
  type: string
  data: Record<string, unknown>
}

type Verify = (incoming: Incoming, secret: string) => Promise<unknown>
type Handle = (event: ReceiverEvent, incoming: Incoming) => Promise<Reply> | Reply

/** A receiver by the book, with what a test wants otherwise. */
export const receiver =
  ({
    verify = verifyBySdk,
    handle = () => ({ status: 200 }),
    refuse = () => ({ status: 400 }),
  }: { verify?: Verify; handle?: Handle; refuse?: () => Reply | null } = {}): Receiver =>
  async (incoming, secret) => {
    if (incoming.method !== 'POST') return { status: 405 }
    try {
      await verify(incoming, secret)
    } catch (error) {
      if (error instanceof Crash) throw error
      return refuse()
    }
    return await handle(JSON.parse(incoming.raw.toString()) as ReceiverEvent, incoming)
  }

/** What a receiver did not foresee: it ends in a 500. */
class Crash extends Error {
  override name = 'Crash'
}

const verifyBySdk: Verify = ({ raw, headers }, secret) =>
  verifyWebhook(raw, String(headers['service-signature'] ?? ''), secret)

/** As the library of Standard Webhooks does it, which knows nothing of Service-Signature. */
export const verifyStandardWebhooks: Verify = async ({ raw, headers }, secret) =>
  new Webhook(secret).verify(raw.toString(), headers as Record<string, string>)

/** A verification as people write it by hand; each option is a mistake. */
export function verifyByHand(mistakes: {
  message?: (raw: Buffer) => string | Buffer
  ignoresTime?: true
  ignoresFuture?: true
  ignoresCase?: true
  readsFirstAlone?: true
  takesOneAlone?: true
  readsAnyScheme?: true
  doesNotCompareLengths?: true
}): Verify {
  return async ({ raw, headers }, secret) => {
    const header = String(headers['service-signature'] ?? '')
    const t = /(?:^|,)t=(\d+)(?:,|$)/.exec(header)?.[1]
    if (t === undefined) throw new Error('no t')
    const age = Date.now() / 1000 - Number(t)
    const isLate = age > 300 || (age < -300 && !mistakes.ignoresFuture)
    if (isLate && !mistakes.ignoresTime) throw new Error('stale')
    const entries = header.split(',').slice(1)
    const scheme = mistakes.readsAnyScheme ? /^v\d=(.*)$/ : /^v1=(.*)$/
    if (mistakes.takesOneAlone && entries.length !== 1) throw new Error('not t and one v1')
    const given = entries.flatMap((entry) => scheme.exec(entry)?.[1] ?? [])
    const message = mistakes.message?.(raw) ?? raw
    const right = createHmac('sha256', secret).update(`${t}.`).update(message).digest('hex')
    const candidates = mistakes.readsFirstAlone ? given.slice(0, 1) : given
    if (!candidates.some((candidate) => equal(candidate, right, mistakes))) throw new Error('wrong')
  }
}

function equal(
  given: string,
  right: string,
  mistakes: { ignoresCase?: true; doesNotCompareLengths?: true },
): boolean {
  const one = Buffer.from(mistakes.ignoresCase ? given.toLowerCase() : given)
  const other = Buffer.from(right)
  if (one.length !== other.length && mistakes.doesNotCompareLengths)
    throw new Crash('timingSafeEqual wants equal lengths')
  return one.length === other.length && timingSafeEqual(one, other)
}

/** The listener of a server that answers as `receive` says, and 500 where that fails. */
export const listenerOf =
  (receive: Receiver, secret: string): RequestListener =>
  async (request, response) => {
    const { method = '', headers } = request
    const raw = await buffer(request)
    const reply = await receive({ method, headers, raw }, secret).catch(() => ({ status: 500 }))
    if (reply === null) return void request.socket.destroy()
    const { status, headers: own = {}, body = '' }: Reply = reply
    response.writeHead(status, own).end(body)
  }

/** Serves `listener` on a free loopback port until `use` is done with its URL. */
export async function withServer<T>(
  listener: RequestListener,
  use: (url: URL) => Promise<T>,
): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    return await use(new URL(`http://127.0.0.1:${port}/hooks?key=1`))
  } finally {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}

/** 500 to whoever comes while another delivery is being worked on. */
export function crashesWhenBusy(workMs: number): Handle {
  let isBusy = false
  return async () => {
    if (isBusy) return { status: 500 }
    isBusy = true
    await sleep(workMs)
    isBusy = false
    return { status: 200 }
  }
}
