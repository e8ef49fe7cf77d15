import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { setUpApiFixture } from '../../test/fixtures/api.ts'
import { eventText, paidInvoice, signature, stripeOf } from '../../test/fixtures/stripe.ts'

const t = setUpApiFixture()
const { post, send, sendInvoice, payments, forget } = stripeOf(t)
const STALE_SECONDS = 301
const now = () => Math.floor(Date.now() / 1000)

beforeEach(forget)

describe('a notification', () => {
  const text = () => eventText(paidInvoice(t.ours.id))
  const refusals: [string, () => ReturnType<typeof post>][] = [
    ['without a signature', () => post(text(), null)],
    ['with an empty signature', () => post(text(), '')],
    ['with an invalid signature header', () => post(text(), 't=abc,v1=,v1')],
    ['with a signature of no known scheme', () => post(text(), `t=${now()},v0=00`)],
    ['signed with another secret', () => post(text(), signature(text(), { secret: 'whsec_x' }))],
    ['signed too long ago', () => post(text(), signature(text(), stale()))],
    ['changed after it was signed', () => post(text().replace('4900', '4901'), signature(text()))],
    ['changed in white space alone', () => post(`${text()} `, signature(text()))],
    ['with a fresh time on an old signature', () => post(text(), refreshed(text()))],
    ['without a body', () => t.call('POST', '/stripe/webhook', { key: null })],
    ['with an empty body, correctly signed', () => post('', signature(''))],
    ['that is no JSON, correctly signed', () => send('{"type":')],
    ['that is null, correctly signed', () => send('null')],
    ['that is a list, correctly signed', () => send('[]')],
    ['of deep JSON, correctly signed', () => send('['.repeat(200_000) + ']'.repeat(200_000))],
    ['without a type, correctly signed', () => send(eventText({}, { type: 7 }))],
    ['without data, correctly signed', () => send(eventText({}, { data: null }))],
    ['that is a thin event, correctly signed', () => send('{"object":"v2.core.event"}')],
    ['whose object is text, correctly signed', () => send(eventText('in_1'))],
    ['with an amount in words, correctly signed', () => sendInvoice({ amount_paid: '4900' })],
    ['with a negative amount, correctly signed', () => sendInvoice({ amount_paid: -1 })],
    ['with an amount beyond 2^53, correctly signed', () => sendInvoice({ amount_paid: 2 ** 53 })],
    ['of bytes that are no UTF-8', () => post(Buffer.from([0xff, 0xfe, 0]), signature('\ufffd'))],
  ]

  it.each(refusals)('%s is refused, and records nothing', async (_name, request) => {
    expect(await request()).toMatchObject({ status: 400, code: 'invalid_payment' })
    expect(await payments()).toEqual([])
  })

  it('with one valid signature of several is accepted: Stripe sends two during a rotation', async () => {
    const [time = '', ours = ''] = signature(text()).split(',')
    const [, theirs = ''] = signature(text(), { secret: 'whsec_x' }).split(',')
    expect((await post(text(), [time, theirs, ours].join(','))).status).toBe(200)
    expect((await post(text(), [time, theirs, theirs].join(','))).code).toBe('invalid_payment')
  })

  it('is accepted for five minutes', async () => {
    const timestamp = now() - STALE_SECONDS + 30
    expect((await post(text(), signature(text(), { timestamp }))).status).toBe(200)
  })

  it('is accepted with any content type', async () => {
    const response = await post(text(), signature(text()), { 'Content-Type': 'text/plain' })
    expect(response.status).toBe(200)
  })

  it('over 1 MiB is refused before its signature is checked', async () => {
    const response = await post(Buffer.alloc(2_000_000, 0x20), 't=1,v1=00')
    expect(response).toMatchObject({ status: 413, code: 'payload_too_large' })
    expect(response.json.error?.message).toContain('1 MiB')
  })

  it('that is compressed is refused without decompression', async () => {
    const packed = gzipSync(text())
    const response = await post(packed, signature(text()), { 'Content-Encoding': 'gzip' })
    expect(response).toMatchObject({ status: 415 })
  })
})

const stale = () => ({ timestamp: now() - STALE_SECONDS })

/** Yesterday's signature with today's time. */
const refreshed = (text: string) => signature(text, stale()).replace(/t=\d+/, `t=${now()}`)
