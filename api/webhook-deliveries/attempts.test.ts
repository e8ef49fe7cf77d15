import { beforeAll, describe, expect, it } from 'vitest'
import { appendEventFor } from '../../commands/events.ts'
import { setUpApiFixture } from '../../test/fixtures/api.ts'

const t = setUpApiFixture()
const { call } = t
let attempts: Record<string, unknown>[]

beforeAll(async () => {
  const em = t.db.em.fork()
  const body = { url: `${t.outside.baseUrl}/hook`, events: ['video.ready'] }
  const endpoint = await call('POST', '/v1/webhook-endpoints', { body })
  const { deliveryId } = await appendEventFor(em, Number(endpoint.json.id), {
    accountId: t.ours.id,
    type: 'video.ready',
    data: { id: 'a'.repeat(20), object: 'video', status: 'ready' },
  })
  await em.execute(
    `insert into webhook_attempt (delivery_id, number, started_at, duration_ms, response_status,
       error_code, error_cause, error_message, response_body, response_encoding, remote_ip, timings, response_headers)
     values (?0, 1, now(), 12, null, 'tls_error', 'certificate_expired', 'Renew it.', null, null, '203.0.113.7',
         '{"dnsMs": 1.5, "connectMs": 0}', '{}'),
       (?0, 2, now(), 20, 503, 'http_error', null, null, 'busy', 'gzip, utf-8', '203.0.113.7',
         '{"dnsMs": 1, "connectMs": 2, "tlsMs": 3, "firstByteMs": 4.1}',
         '{"retry-after": "120", "server": "nginx"}')`.replaceAll('?0', String(deliveryId)),
  )
  const { json } = await call('GET', `/v1/webhook-deliveries/${deliveryId}`)
  attempts = json.attempts as typeof attempts
})

describe('an attempt in GET /v1/webhook-deliveries', () => {
  it('returns all four phases in milliseconds, null for those that did not complete', () => {
    expect(attempts.map(({ timings }) => timings)).toEqual([
      { dns_ms: 1.5, connect_ms: 0, tls_ms: null, first_byte_ms: null },
      { dns_ms: 1, connect_ms: 2, tls_ms: 3, first_byte_ms: 4.1 },
    ])
  })

  it('returns the selected headers of the response, none without a response', () => {
    expect(attempts.map((attempt) => attempt.response_headers)).toEqual([
      {},
      { 'retry-after': '120', server: 'nginx' },
    ])
  })

  it('returns cause and remedy of a failure, and how the body was decoded', () => {
    expect(attempts).toMatchObject([
      { error_cause: 'certificate_expired', error_message: 'Renew it.', response_encoding: null },
      { error_cause: null, error_message: null, response_encoding: 'gzip, utf-8' },
    ])
  })
})
