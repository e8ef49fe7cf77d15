import { createHmac, randomBytes } from 'node:crypto'

export interface DeliveryToSign {
  deliveryId: number
  eventId: string
  eventType: string
  /** The exact bytes of the body. */
  body: string
  /**
   * The endpoint's secret; during the overlap of a rotation, the new one and then the previous
   * ones.
   */
  secrets: readonly string[]
  nowSeconds: number
}

/**
 * Returns the headers of a delivery: those of the contract (contract, "Delivery") and the three of
 * Standard Webhooks, so that verifiers of both kinds work. The HMAC key of the contract is the
 * secret's text; that of Standard Webhooks is the bytes that the text after `whsec_` encodes.
 */
export function webhookHeaders(delivery: DeliveryToSign): Record<string, string> {
  const { nowSeconds: t, body, secrets, eventId } = delivery
  const contract = secrets.map((secret) => `v1=${hmac(secret, `${t}.${body}`, 'hex')}`)
  const standard = secrets.map(
    (secret) => `v1,${hmac(secretBytes(secret), `${eventId}.${t}.${body}`, 'base64')}`,
  )
  return {
    'Service-Signature': `t=${t},${contract.join(',')}`,
    'Service-Event-Type': delivery.eventType,
    'Service-Delivery-Id': String(delivery.deliveryId),
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1.0',
    'webhook-id': eventId,
    'webhook-timestamp': String(t),
    'webhook-signature': standard.join(' '),
  }
}

/** Creates an endpoint secret: `whsec_` and the base64 of 32 random bytes. */
export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

const secretBytes = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

const hmac = (key: string | Buffer, message: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(message).digest(encoding)
