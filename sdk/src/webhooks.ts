import type { WebhookEvent } from './types.ts'

const TOLERANCE_SECONDS = 300
// t, then one v1 for each valid secret; there are several during a rotation with an overlap.
const HEADER = /^t=(0|[1-9]\d{0,11})((?:,v1=[0-9a-f]{64}){1,8})$/

export type WebhookVerificationCode =
  | 'missing_signature'
  | 'malformed_signature'
  | 'stale_timestamp'
  | 'signature_mismatch'
  | 'invalid_payload'

/** The error of an invalid delivery. Respond to it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookVerificationCode

  constructor(code: WebhookVerificationCode, message: string) {
    super(message)
    this.code = code
  }
}

export interface VerifyOptions {
  /** How far `t` may differ from this clock; 300 by default. */
  toleranceSeconds?: number | undefined
  /** Replaces the clock, for tests. */
  now?: Date | undefined
}

/**
 * Verifies a delivery and resolves to its event (contract, "Signature rules"). `rawBody` is the
 * body as it arrived, before any parsing. `header` is Service-Signature. `secret` is that of the
 * endpoint, with its `whsec_`. Every v1 is compared in constant time before the body is parsed.
 * Rejects with a WebhookVerificationError, or with a TypeError if an argument is wrong.
 */
export async function verifyWebhook(
  rawBody: string | ArrayBuffer | ArrayBufferView,
  header: string | null | undefined,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = toBytes(rawBody)
  // Usually an unset variable, which is not a fault of the sender.
  if (typeof secret !== 'string' || secret === '') throw new TypeError('The secret is empty.')
  const { timestamp, signatures } = parseHeader(header)
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError(
      'stale_timestamp',
      `The delivery was signed more than ${toleranceSeconds} seconds from now.`,
    )
  if (!(await matchesAny(signatures, secret, concat(encode(`${timestamp}.`), body))))
    throw new WebhookVerificationError(
      'signature_mismatch',
      'No signature matches: wrong secret, or not the raw body.',
    )
  return parseEvent(body)
}

function parseHeader(header: string | null | undefined): {
  timestamp: string
  signatures: Uint8Array<ArrayBuffer>[]
} {
  if (header === null || header === undefined || header === '')
    throw new WebhookVerificationError('missing_signature', 'There is no Service-Signature header.')
  const [, timestamp, entries] = HEADER.exec(header) ?? []
  if (timestamp === undefined || entries === undefined)
    throw new WebhookVerificationError(
      'malformed_signature',
      'Service-Signature is not t=<unix seconds>,v1=<64 lowercase hex characters>.',
    )
  return { timestamp, signatures: entries.slice(4).split(',v1=').map(decodeHex) }
}

async function matchesAny(
  signatures: Uint8Array<ArrayBuffer>[],
  secret: string,
  message: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encode(secret), hmac, false, ['verify'])
  const verify = (signature: Uint8Array<ArrayBuffer>): Promise<boolean> =>
    crypto.subtle.verify('HMAC', key, signature, message)
  return (await Promise.all(signatures.map(verify))).includes(true)
}

function parseEvent(body: Uint8Array): WebhookEvent {
  let event: unknown
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    event = null
  }
  if (!isEnvelope(event))
    throw new WebhookVerificationError('invalid_payload', 'The signed body is not an event.')
  return event
}

/** Checks only the envelope: the signature shows that the API wrote `data`. */
function isEnvelope(event: unknown): event is WebhookEvent {
  if (typeof event !== 'object' || event === null) return false
  if (!('id' in event && 'type' in event && 'created_at' in event && 'data' in event)) return false
  const { id, type, created_at, data } = event
  if (typeof data !== 'object' || data === null) return false
  return [id, type, created_at].every((field) => typeof field === 'string')
}

function toBytes(rawBody: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof rawBody === 'string') return encode(rawBody)
  if (ArrayBuffer.isView(rawBody)) {
    const { buffer, byteOffset, byteLength } = rawBody
    return new Uint8Array(buffer, byteOffset, byteLength)
  }
  // Not `instanceof`: test runners have a global object of their own.
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]')
    return new Uint8Array(rawBody)
  throw new TypeError('The body must be raw text or bytes: verify it before it is parsed.')
}

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

const decodeHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
