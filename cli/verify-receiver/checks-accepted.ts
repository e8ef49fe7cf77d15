import type { DeliveryCheck } from './check.ts'
import type { Kit } from './kit.ts'
import { respell } from './respell.ts'
import { newVideoId } from './sample-events.ts'

const MINUTE_SECONDS = 60

/** The first of all: where it fails, nothing that the others could find would mean anything. */
export const GOOD_DELIVERY: DeliveryCheck = {
  ...{ id: 'good', severity: 'must', expects: 'accepted' },
  title: 'A signed delivery is accepted.',
  hint: 'Compare the HMAC-SHA256 of "<t>.<raw body>" in lowercase hex, keyed with the whole secret as text, whsec_ included, with v1.',
  deliveries: (kit) => [kit.sign()],
}

/** Deliveries that the product makes, or may make, and that are answered with 2xx. */
export const ACCEPTED: DeliveryCheck[] = [
  {
    ...{ id: 'every-event-type', severity: 'must', expects: 'accepted' },
    title: 'Each event type is accepted, webhook.test included.',
    hint: 'Answer 2xx to every type, also to those that need no work. Name the types that the endpoint subscribes to with --events.',
    deliveries(kit) {
      const videoId = newVideoId()
      return kit.types.map((type) => kit.sign({ body: kit.body(type, videoId) }))
    },
  },
  {
    ...{ id: 'unknown-event-type', severity: 'should', expects: 'accepted' },
    title: 'An event type that it never heard of is accepted and ignored.',
    hint: 'Let the default branch answer 2xx: an error is retried for hours and counts against the endpoint.',
    deliveries: (kit) => [
      kit.sign({ body: JSON.stringify({ ...parsed(kit), type: 'video.levitated' }) }),
    ],
  },
  {
    ...{ id: 'unknown-field', severity: 'should', expects: 'accepted' },
    title: 'A field that it never heard of is accepted and ignored.',
    hint: 'Let the schema of your parser pass unknown fields: events may gain some.',
    deliveries(kit) {
      const { data, ...event } = parsed(kit)
      return [kit.sign({ body: JSON.stringify({ ...event, data: { ...data, levitates: true } }) })]
    },
  },
  {
    ...{ id: 'raw-body', severity: 'must', expects: 'accepted' },
    title: 'The body is verified as it arrived, not as it is when parsed and written again.',
    hint: 'Take the raw bytes before any JSON parser (in Express: express.raw({ type: "application/json" })).',
    deliveries: (kit) => [kit.sign({ body: respell(kit.body()) })],
  },
  {
    ...{ id: 'unicode', severity: 'must', expects: 'accepted' },
    title: 'Characters beyond ASCII are verified as the UTF-8 bytes that they are.',
    hint: 'Sign bytes, or read the body as UTF-8: not as latin1 or ASCII.',
    deliveries: (kit) => [kit.sign({ body: testMessage(kit, 'Zoë, 日本語, 🎬, \u2028, ﷽') })],
  },
  {
    ...{ id: 'long-body', severity: 'must', expects: 'accepted' },
    title: 'A body of 64 KiB is accepted.',
    hint: 'Raise the limit of your body parser: a list of captions may be long.',
    deliveries: (kit) => [kit.sign({ body: testMessage(kit, 'long '.repeat(13_000)) })],
  },
  {
    ...{ id: 'four-minutes-off', severity: 'must', expects: 'accepted' },
    title: 'A delivery that was signed up to five minutes from now is accepted.',
    hint: 'Allow 300 seconds to either side, and set your clock by NTP. t is in seconds, not milliseconds.',
    deliveries: (kit) => [
      kit.sign({ what: '4 min old', ageSeconds: 4 * MINUTE_SECONDS }),
      kit.sign({ what: '4 min ahead', ageSeconds: -4 * MINUTE_SECONDS }),
    ],
  },
  {
    ...{ id: 'duplicate', severity: 'must', expects: 'accepted' },
    title: 'The same event delivered again, signed anew, is accepted both times.',
    hint: 'Record the event id, skip the work the second time, and answer 2xx: an error would be retried.',
    deliveries(kit) {
      const body = kit.body()
      const deliveryId = 7
      return [
        kit.sign({ what: 'first', body, deliveryId, ageSeconds: MINUTE_SECONDS }),
        kit.sign({ what: 'again', body, deliveryId }),
      ]
    },
  },
  {
    ...{ id: 'replay', severity: 'should', expects: 'accepted' },
    title: 'The very same request within five minutes is accepted both times.',
    hint: 'Tell duplicates by the event id, not by the signature, and answer them with 2xx.',
    deliveries(kit) {
      const delivery = kit.sign()
      return [
        { ...delivery, what: 'first' },
        { ...delivery, what: 'again' },
      ]
    },
  },
  {
    ...{ id: 'reordered', severity: 'must', expects: 'accepted' },
    title: 'video.ready may come before video.created.',
    hint: 'The order of deliveries is not guaranteed: take what comes, and let no older state replace a newer one.',
    needs: ['video.ready', 'video.created'],
    deliveries(kit) {
      const videoId = newVideoId()
      return [
        kit.sign({ body: kit.body('video.ready', videoId) }),
        kit.sign({ body: kit.body('video.created', videoId) }),
      ]
    },
  },
  {
    ...{ id: 'two-at-once', severity: 'must', expects: 'accepted' },
    title: 'Two deliveries at the same time are accepted.',
    hint: 'Deliveries are independent of each other: share no state between requests, lock nothing for long.',
    atOnce: true,
    deliveries: (kit) => [kit.sign({ what: 'one' }), kit.sign({ what: 'the other' })],
  },
  {
    ...{ id: 'slow-body', severity: 'should', expects: 'accepted' },
    title: 'A body that arrives in pieces over some seconds is accepted.',
    hint: 'Read the body to its end before you verify it, and do not give up on it within seconds.',
    deliveries: (kit) => [{ ...kit.sign(), pieces: 4 }],
  },
]

const parsed = (kit: Kit) =>
  JSON.parse(kit.body()) as Record<string, unknown> & { data: Record<string, unknown> }

/** A webhook.test, which every endpoint gets, with this text in it. */
function testMessage(kit: Kit, message: string): string {
  const event = JSON.parse(kit.body('webhook.test')) as { data: object }
  return JSON.stringify({ ...event, data: { ...event.data, message } })
}
