import { createHmac, timingSafeEqual } from 'node:crypto'

interface ReceivedWebhook {
  headers: Record<string, string>
  body: string
  receivedAtMs: number
}

/** A receiver's own check of a delivery, written from the contract alone (spec, "Signature rules"). */
export function isGenuine(delivery: ReceivedWebhook, secret: string): boolean {
  const header = delivery.headers['service-signature'] ?? ''
  const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (t === '' || Math.abs(delivery.receivedAtMs / 1000 - Number(t)) > 300) return false
  const expected = createHmac('sha256', secret).update(`${t}.${delivery.body}`).digest()
  return timingSafeEqual(expected, Buffer.from(v1, 'hex'))
}
