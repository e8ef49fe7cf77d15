import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { createWebhookSecret, webhookHeaders } from './webhook-signature.ts'

const body = '{"id":"evt_1","type":"video.ready","data":{"title":"Zoë"}}'
const nowSeconds = Math.floor(Date.now() / 1000)
const base = { deliveryId: 12, eventId: 'evt_1', eventType: 'video.ready', body, nowSeconds }

describe('webhook headers', () => {
  it('sign t, a period and the raw body with the secret as text, in lowercase hex', () => {
    const secret = createWebhookSecret()
    const headers = webhookHeaders({ ...base, secrets: [secret] })
    const v1 = createHmac('sha256', secret).update(`${nowSeconds}.${body}`).digest('hex')
    expect(headers['Service-Signature']).toBe(`t=${nowSeconds},v1=${v1}`)
  })

  it('contain the event type, the delivery id, the content type and the user agent', () => {
    expect(webhookHeaders({ ...base, secrets: ['whsec_YQ=='] })).toMatchObject({
      'Service-Event-Type': 'video.ready',
      'Service-Delivery-Id': '12',
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
    })
  })

  it('are accepted by an independent Standard Webhooks library', () => {
    const secret = createWebhookSecret()
    const headers = webhookHeaders({ ...base, secrets: [secret] })
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ id: 'evt_1' })
  })

  it('contain both signatures during a rotation', () => {
    const secrets = [createWebhookSecret(), createWebhookSecret()]
    const headers = webhookHeaders({ ...base, secrets })
    expect(headers['Service-Signature']?.match(/v1=[0-9a-f]{64}/g)).toHaveLength(2)
    for (const secret of secrets) new Webhook(secret).verify(body, headers)
  })

  it('use a secret with the prefix whsec_ and 32 random bytes', () => {
    const secret = createWebhookSecret()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(createWebhookSecret()).not.toBe(secret)
  })
})
