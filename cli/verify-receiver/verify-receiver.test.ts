import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createWebhookSecret } from '../../security/webhook-signature.ts'
import {
  crashesWhenBusy,
  listenerOf,
  receiver,
  verifyByHand,
  verifyStandardWebhooks,
  withServer,
  type Receiver,
  type ReceiverEvent,
} from '../../test/fixtures/webhook-receivers.ts'
import { SENT_EVENT_TYPES } from './kit.ts'
import { gradeOf, reportOf } from './report.ts'
import { verifyReceiver } from './verify-receiver.ts'

const secret = createWebhookSecret()
const limits = { timeoutMs: 30_000, slowMs: 25_000, pieceWaitMs: 20 }

const grade = async (listener: RequestListener, own: object = {}, types = SENT_EVENT_TYPES) => {
  const results = await withServer(listener, (url) =>
    verifyReceiver({ url, secret, types, limits: { ...limits, ...own } }),
  )
  const ids = (wanted: string) =>
    results.filter(({ status }) => status === wanted).map(({ id }) => id)
  expect(reportOf(results, 'https://receiver.test')).not.toContain(secret)
  return { results, grade: gradeOf(results), failed: ids('failed'), skipped: ids('skipped') }
}
const gradeReceiver = (receive: Receiver, own: object = {}, types = SENT_EVENT_TYPES) =>
  grade(listenerOf(receive, secret), own, types)

const STALE = ['six-minutes-old', 'six-minutes-ahead']
const FORGED = [
  ['tampered-body', 'other-body', 'wrong-secret', 'no-signature', 'malformed-header'],
  ['truncated-signature', 'empty-signature', 'other-scheme'],
].flat()
// An http URL has no certificate.
const SKIPPED = ['certificate']

describe('a correct receiver passes every check with grade A:', () => {
  it.each([
    ["one on the SDK's verifyWebhook", receiver()],
    ['one on the library of Standard Webhooks', receiver({ verify: verifyStandardWebhooks })],
    ['one that verifies by hand', receiver({ verify: verifyByHand({}) })],
    ['one that responds with 204', receiver({ handle: () => ({ status: 204 }) })],
  ])('%s', async (_what, receive) => {
    expect(await gradeReceiver(receive)).toMatchObject({ grade: 'A', failed: [], skipped: SKIPPED })
  })

  it.each([401, 403, 422])('one that refuses with %i, with notes', async (status) => {
    const { results, ...rest } = await gradeReceiver(receiver({ refuse: () => ({ status }) }))
    expect(rest).toEqual({ grade: 'A', failed: [], skipped: SKIPPED })
    const noted = results.filter(({ note }) => note?.includes('400')).map(({ id }) => id)
    expect(noted).toEqual([...STALE, ...FORGED, 'uppercase-hex'])
  })

  it('and the report shows which of the two signatures it verifies', async () => {
    const alone = async (receive: Receiver) => {
      const { results } = await gradeReceiver(receive)
      return results.flatMap(({ id, got }) => (id.endsWith('-alone') ? [got] : []))
    }
    expect(await alone(receiver())).toEqual(['200', '400'])
    expect(await alone(receiver({ verify: verifyStandardWebhooks }))).toEqual(['400', '200'])
  })

  it('one that handles only some event types', async () => {
    const handle = ({ type }: ReceiverEvent) => ({
      status: ['video.ready', 'webhook.test'].includes(type) ? 200 : 500,
    })
    const types = ['video.ready', 'webhook.test'] as typeof SENT_EVENT_TYPES
    expect(await gradeReceiver(receiver({ handle }), {}, types)).toMatchObject({
      failed: ['unknown-event-type'],
      skipped: ['reordered', ...SKIPPED],
    })
  })
})

const seen = new Set<string>()
const created = new Set<unknown>()
const FIELDS = 'id object status error captions event_type severity video_id viewer_id amount'
const KNOWN_FIELDS = `${FIELDS} plan_type billing_cycle message`.split(' ')

const MISTAKES: [what: string, receive: Receiver, grade: string, failed: string[]][] = [
  [
    'does not verify at all',
    receiver({ verify: async () => {} }),
    'F',
    [...STALE, ...FORGED, 'uppercase-hex'],
  ],
  [
    'verifies only if there is a signature',
    receiver({
      verify: async (incoming, key) =>
        incoming.headers['service-signature'] && verifyByHand({})(incoming, key),
    }),
    'F',
    ['no-signature'],
  ],
  [
    'verifies parsed and serialized JSON',
    receiver({
      verify: verifyByHand({ message: (raw) => JSON.stringify(JSON.parse(raw.toString())) }),
    }),
    'C',
    ['raw-body'],
  ],
  [
    'reads the body as latin1',
    receiver({ verify: verifyByHand({ message: (raw) => raw.toString('latin1') }) }),
    'C',
    ['unicode'],
  ],
  ['does not look at t', receiver({ verify: verifyByHand({ ignoresTime: true }) }), 'D', STALE],
  [
    'checks only for an old t',
    receiver({ verify: verifyByHand({ ignoresFuture: true }) }),
    'C',
    ['six-minutes-ahead'],
  ],
  [
    'reads only the first v1',
    receiver({ verify: verifyByHand({ readsFirstAlone: true }) }),
    'A',
    ['two-secrets'],
  ],
  [
    'accepts a single v1, as the contract defines the header',
    receiver({ verify: verifyByHand({ takesOneAlone: true }) }),
    'A',
    ['two-secrets'],
  ],
  [
    'treats v0 as v1',
    receiver({ verify: verifyByHand({ readsAnyScheme: true }) }),
    'F',
    ['other-scheme'],
  ],
  [
    'ignores the case of the signature',
    receiver({ verify: verifyByHand({ ignoresCase: true }) }),
    'A',
    ['uppercase-hex'],
  ],
  [
    'crashes on a signature of another length',
    receiver({ verify: verifyByHand({ doesNotCompareLengths: true }) }),
    'D',
    ['truncated-signature', 'empty-signature'],
  ],
  [
    'redirects to a login for a wrong signature',
    receiver({ refuse: () => ({ status: 302, headers: { location: '/login?next=1' } }) }),
    'E',
    [...STALE, ...FORGED, 'uppercase-hex'],
  ],
  [
    'closes the connection for a wrong signature',
    receiver({ refuse: () => null }),
    'E',
    [...STALE, ...FORGED, 'uppercase-hex'],
  ],
  [
    'responds with 410 to a wrong signature',
    receiver({ refuse: () => ({ status: 410 }) }),
    'E',
    [...STALE, ...FORGED, 'uppercase-hex'],
  ],
  [
    'responds with 500 to an unknown type',
    receiver({
      handle: ({ type }) => ({ status: SENT_EVENT_TYPES.includes(type as never) ? 200 : 500 }),
    }),
    'B',
    ['unknown-event-type'],
  ],
  [
    'responds with 422 to an unknown field',
    receiver({
      handle: ({ data }) => ({
        status: Object.keys(data).every((name) => KNOWN_FIELDS.includes(name)) ? 200 : 422,
      }),
    }),
    'B',
    ['unknown-field'],
  ],
  [
    'responds with 409 to a duplicate',
    receiver({
      handle({ id }) {
        const status = seen.has(id) ? 409 : 200
        seen.add(id)
        return { status }
      },
    }),
    'C',
    ['duplicate', 'replay'],
  ],
  [
    'requires video.created first',
    receiver({
      handle({ type, data }) {
        if (type === 'video.created') created.add(data.id)
        return { status: type === 'video.ready' && !created.has(data.id) ? 409 : 200 }
      },
    }),
    'C',
    ['reordered'],
  ],
  [
    'crashes on two concurrent deliveries',
    receiver({ handle: crashesWhenBusy(100) }),
    'C',
    ['two-at-once'],
  ],
  [
    'accepts at most 10 KiB',
    receiver({ handle: (_event, { raw }) => ({ status: raw.length > 10_240 ? 413 : 200 }) }),
    'C',
    ['long-body'],
  ],
  [
    'responds with a page',
    receiver({ handle: () => ({ status: 200, body: '<p>ok</p>'.repeat(5_000) }) }),
    'A',
    ['response-size'],
  ],
  [
    'crashes on GET',
    (incoming, key) =>
      incoming.method === 'GET' ? Promise.reject(new Error('no body')) : receiver()(incoming, key),
    'A',
    ['get'],
  ],
]

describe('a wrong receiver fails exactly its wrong checks: one that', () => {
  it.each(MISTAKES)('%s', async (_what, receive, expectedGrade, failed) => {
    const found = await gradeReceiver(receive)
    expect(found.failed).toEqual(failed)
    expect(found).toMatchObject({ grade: expectedGrade, skipped: SKIPPED })
  })

  it('works before it responds', async () => {
    const handle = async () => {
      await sleep(60)
      return { status: 200 }
    }
    const found = await gradeReceiver(receiver({ handle }), { slowMs: 50 })
    expect(found).toMatchObject({ grade: 'B', failed: ['response-time'] })
  })

  it('treats the first piece of the body as the whole body', async () => {
    const listener: RequestListener = (request, response) => {
      const { method = '', headers } = request
      request.once('data', (raw: Buffer) => {
        void receiver()({ method, headers, raw }, secret).then((reply) =>
          response.writeHead(reply?.status ?? 500).end(),
        )
      })
      request.once('end', () => method === 'GET' && response.writeHead(405).end())
    }
    expect((await grade(listener)).failed).toEqual(['long-body', 'slow-body'])
  })
})

describe('if the good delivery fails, the other checks are skipped with the reason:', () => {
  it.each([
    ['another secret', receiver({ refuse: () => ({ status: 401 }) }), "this endpoint's secret?"],
    [
      'a redirect',
      async () => ({ status: 308, headers: { location: 'https://receiver.test/hooks/?token=x' } }),
      '308 to https://receiver.test/hooks/)',
    ],
    ['a crash', () => Promise.reject(new Error('crash')), '500'],
    ['a connection that ends', async () => null, 'connection_reset'],
  ] as [string, Receiver, string][])('%s', async (_what, receive, reason) => {
    const found = await grade(listenerOf(receive, 'whsec_b3RoZXI='))
    expect(found).toMatchObject({ grade: 'F', failed: ['good'] })
    const late = found.results.filter(({ id }) => !['good', 'response-size'].includes(id))
    expect(late.every(({ status }) => status === 'skipped')).toBe(true)
    expect(late[0]?.got).toContain(reason)
  })

  it('no response in time', async () => {
    const found = await grade(() => {}, { timeoutMs: 300 })
    expect(found).toMatchObject({ grade: 'F', failed: ['good'] })
    expect(found.results[0]).toMatchObject({ got: 'timeout', note: expect.stringMatching(/2xx/) })
  })

  it('a response that does not end in time', async () => {
    const found = await grade((_request, response) => void response.writeHead(200).write('.'), {
      timeoutMs: 300,
    })
    expect(found.results[0]).toMatchObject({ status: 'failed', got: 'timeout' })
  })
})
