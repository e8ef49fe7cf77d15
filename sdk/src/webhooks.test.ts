import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createWebhookSecret, webhookHeaders } from '../../security/webhook-signature.ts'
import { setUpSdkFixture } from '../../test/fixtures/sdk.ts'
import { verifyWebhook, type WebhookVerificationError } from './index.ts'

const t = setUpSdkFixture()
const nowSeconds = 1_767_225_600
const now = new Date(nowSeconds * 1000)
const event = {
  id: 'evt_5f0c',
  type: 'video.failed',
  created_at: '2026-11-21T09:30:00.000+00:00',
  data: { id: '3f1c9a7be04d5628c1d0', object: 'video', status: 'failed', error: 'Zoë: 木' },
}
const body = JSON.stringify(event)
const oldSecret = createWebhookSecret()
let secret: string

/** Creates the header with the server's own code. */
function sign(secrets: readonly string[], text = body, t = nowSeconds): string {
  const delivery = { deliveryId: 1, eventId: event.id, eventType: event.type }
  const headers = webhookHeaders({ ...delivery, body: text, secrets, nowSeconds: t })
  return headers['Service-Signature'] ?? ''
}

const rejectedCode = (verification: Promise<unknown>): Promise<string> =>
  verification.then(
    () => 'accepted',
    (error: WebhookVerificationError) => error.code,
  )

describe('webhooks.verify', () => {
  beforeAll(async () => {
    // The API returns it once.
    const url = `${t.api.outside.baseUrl}/hook`
    const endpoint = await t.reelgate.webhookEndpoints.create({ url, events: ['video.failed'] })
    secret = endpoint.secret
  })

  it('accepts a delivery of the server, as text and as bytes, and returns the event', async () => {
    const header = sign([secret])
    expect(await t.reelgate.webhooks.verify(body, header, secret, { now })).toEqual(event)
    const bytes = Buffer.from(`..${body}`).subarray(2)
    const verified = await verifyWebhook(bytes, header, secret, { now })
    for (const raw of [
      new Uint8Array(bytes).buffer,
      new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    ])
      expect(await verifyWebhook(raw, header, secret, { now })).toEqual(verified)
    if (verified.type !== 'video.failed') throw new Error('not narrowed')
    // `type` narrows the union: only this event has an error.
    expect(verified.data.error).toBe('Zoë: 木')
  })

  it('accepts any body that the server signs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (data) => {
        const text = JSON.stringify({ ...event, data: { data } })
        const verified = await verifyWebhook(text, sign([secret], text), secret, { now })
        expect(JSON.stringify(verified)).toBe(text)
      }),
    )
  })

  it('accepts both secrets during a rotation', async () => {
    const header = sign([secret, oldSecret])
    expect(header.match(/v1=/g)).toHaveLength(2)
    for (const known of [secret, oldSecret])
      expect(await rejectedCode(verifyWebhook(body, header, known, { now }))).toBe('accepted')
  })

  it.each([
    [-301, 'stale_timestamp'],
    [-300, 'accepted'],
    [0, 'accepted'],
    [300, 'accepted'],
    [301, 'stale_timestamp'],
  ])('for a delivery signed %i seconds from now returns %s', async (distance, code) => {
    const header = sign([secret], body, nowSeconds + distance)
    expect(await rejectedCode(verifyWebhook(body, header, secret, { now }))).toBe(code)
  })

  it('uses its own clock and the given tolerance', async () => {
    const fresh = sign([secret], body, Math.floor(Date.now() / 1000))
    expect(await rejectedCode(verifyWebhook(body, fresh, secret))).toBe('accepted')
    expect(await rejectedCode(verifyWebhook(body, sign([secret]), secret))).toBe('stale_timestamp')
    const options = { now: new Date((nowSeconds + 11) * 1000), toleranceSeconds: 10 }
    expect(await rejectedCode(verifyWebhook(body, sign([secret]), secret, options))).toBe(
      'stale_timestamp',
    )
  })

  it('refuses a body that was changed, parsed and serialized again, or cut', async () => {
    const header = sign([secret])
    const { id, ...rest } = event
    const others = [
      body.replace('failed', 'ready!'),
      JSON.stringify(event, null, 2),
      JSON.stringify({ ...rest, id }),
      body.slice(0, -1),
      `${body}\n`,
      '',
    ]
    for (const other of others)
      expect(await rejectedCode(verifyWebhook(other, header, secret, { now }))).toBe(
        'signature_mismatch',
      )
  })

  it('refuses another secret, another time and a signature with one bit changed', async () => {
    const header = sign([secret])
    const bare = secret.replace('whsec_', '')
    for (const other of [oldSecret, bare, `${secret} `])
      expect(await rejectedCode(verifyWebhook(body, header, other, { now }))).toBe(
        'signature_mismatch',
      )
    const later = header.replace(`t=${nowSeconds}`, `t=${nowSeconds + 1}`)
    expect(await rejectedCode(verifyWebhook(body, later, secret, { now }))).toBe(
      'signature_mismatch',
    )
    const last = (Number.parseInt(header.at(-1) ?? '0', 16) ^ 1).toString(16)
    const flipped = header.slice(0, -1) + last
    expect(await rejectedCode(verifyWebhook(body, flipped, secret, { now }))).toBe(
      'signature_mismatch',
    )
  })

  it.each<[string, (header: string) => string]>([
    ['reordered', (header) => header.split(',').toReversed().join(',')],
    ['truncated', (header) => header.slice(0, -1)],
    ['without t', (header) => header.replace(/t=\d+,/, '')],
    ['without v1', (header) => header.replace(/,v1=.*/, '')],
    ['with two t', (header) => `t=1,${header}`],
    ['in upper case', (header) => header.replace(/[0-9a-f]+$/, (hex) => hex.toUpperCase())],
    ['with spaces', (header) => header.replace(',', ', ')],
    ['with another scheme', (header) => header.replace('v1=', 'v0=')],
    ['with too many digits in t', (header) => header.replace('t=', 't=1000')],
    ['with a zero before t', (header) => header.replace('t=', 't=0')],
    ['with a line feed at its end', (header) => `${header}\n`],
    ['sent twice', (header) => `${header}, ${header}`],
    ['with too many signatures', (header) => header + `,v1=${'0'.repeat(64)}`.repeat(8)],
  ])('refuses a header %s', async (_name, change) => {
    const header = change(sign([secret]))
    expect(await rejectedCode(verifyWebhook(body, header, secret, { now }))).toBe(
      'malformed_signature',
    )
  })

  it.each([null, undefined, ''])('refuses %j as the header', async (header) => {
    expect(await rejectedCode(verifyWebhook(body, header, secret, { now }))).toBe(
      'missing_signature',
    )
  })

  it('verifies before it parses, and refuses a body that is not an event', async () => {
    const text = 'no JSON'
    expect(await rejectedCode(verifyWebhook(text, sign([oldSecret], text), secret, { now }))).toBe(
      'signature_mismatch',
    )
    for (const signed of [text, '[]', 'null', '{"id":1}', '{"id":"a","type":"b","created_at":"c"}'])
      expect(
        await rejectedCode(verifyWebhook(signed, sign([secret], signed), secret, { now })),
      ).toBe('invalid_payload')
  })

  it('throws a TypeError for wrong arguments', async () => {
    const parsed = event as unknown as string
    await expect(verifyWebhook(parsed, sign([secret]), secret, { now })).rejects.toThrow(TypeError)
    await expect(verifyWebhook(body, sign([secret]), '', { now })).rejects.toThrow(TypeError)
  })
})
