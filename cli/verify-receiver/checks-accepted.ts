import { z } from 'zod'
import type { DeliveryCheck } from './check.ts'
import { newVideoId, type Kit } from './kit.ts'

const MINUTE_SECONDS = 60

/** Runs first: if it fails, the results of the others mean nothing. */
export const GOOD_DELIVERY: DeliveryCheck = {
  id: 'good',
  severity: 'must',
  expects: 'accepted',
  title: 'A signed delivery is accepted.',
  hint: 'Compare the HMAC-SHA256 of "<t>.<raw body>" in lowercase hex, keyed with the whole secret as text, whsec_ included, with v1.',
  deliveries: (kit) => [kit.sign()],
}

/** Deliveries that the product makes, or may make, and that a receiver must accept with 2xx. */
export const ACCEPTED: DeliveryCheck[] = [
  {
    id: 'every-event-type',
    severity: 'must',
    expects: 'accepted',
    title: 'Each event type is accepted, including webhook.test.',
    hint: 'Respond with 2xx to every type, also to those that need no work. List the subscribed types with --events.',
    deliveries(kit) {
      const videoId = newVideoId()
      return kit.types.map((type) => kit.sign({ body: kit.body(type, videoId) }))
    },
  },
  {
    id: 'unknown-event-type',
    severity: 'should',
    expects: 'accepted',
    title: 'An unknown event type is accepted and ignored.',
    hint: 'Respond with 2xx in the default branch: an error is retried for hours and counts against the endpoint.',
    deliveries: (kit) => [
      kit.sign({ body: JSON.stringify({ ...parsed(kit), type: 'video.levitated' }) }),
    ],
  },
  {
    id: 'unknown-field',
    severity: 'should',
    expects: 'accepted',
    title: 'An unknown field is accepted and ignored.',
    hint: 'Allow unknown fields in your schema: events may get new ones.',
    deliveries(kit) {
      const { data, ...event } = parsed(kit)
      return [kit.sign({ body: JSON.stringify({ ...event, data: { ...data, levitates: true } }) })]
    },
  },
  {
    id: 'raw-body',
    severity: 'must',
    expects: 'accepted',
    title: 'The raw body is verified, not a parsed and serialized copy.',
    hint: 'Read the raw bytes before any JSON parser (in Express: express.raw({ type: "application/json" })).',
    deliveries: (kit) => [kit.sign({ body: respell(kit.body()) })],
  },
  {
    id: 'unicode',
    severity: 'must',
    expects: 'accepted',
    title: 'Characters beyond ASCII are verified as UTF-8 bytes.',
    hint: 'Verify the bytes, or read the body as UTF-8, not as latin1 or ASCII.',
    deliveries: (kit) => [kit.sign({ body: testMessage(kit, 'Zoë, 日本語, 🎬, \u2028, ﷽') })],
  },
  {
    id: 'long-body',
    severity: 'must',
    expects: 'accepted',
    title: 'A body of 64 KiB is accepted.',
    hint: 'Raise the limit of your body parser: a list of captions may be long.',
    deliveries: (kit) => [kit.sign({ body: testMessage(kit, 'long '.repeat(13e3)) })],
  },
  {
    id: 'four-minutes-off',
    severity: 'must',
    expects: 'accepted',
    title: 'A delivery signed up to five minutes ago or ahead is accepted.',
    hint: 'Allow 300 seconds in both directions, and set your clock by NTP. t is in seconds, not milliseconds.',
    deliveries: (kit) => [
      kit.sign({ what: '4 min old', ageSeconds: 4 * MINUTE_SECONDS }),
      kit.sign({ what: '4 min ahead', ageSeconds: -4 * MINUTE_SECONDS }),
    ],
  },
  {
    id: 'duplicate',
    severity: 'must',
    expects: 'accepted',
    title: 'The same event with a new signature is accepted again.',
    hint: 'Record the event id, skip the work the second time, and respond with 2xx: an error would be retried.',
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
    id: 'replay',
    severity: 'should',
    expects: 'accepted',
    title: 'The identical request within five minutes is accepted again.',
    hint: 'Detect duplicates by the event id, not by the signature, and respond with 2xx.',
    deliveries(kit) {
      const delivery = kit.sign()
      return [
        { ...delivery, what: 'first' },
        { ...delivery, what: 'again' },
      ]
    },
  },
  {
    id: 'reordered',
    severity: 'must',
    expects: 'accepted',
    title: 'video.ready is accepted before video.created.',
    hint: 'The order of deliveries is not guaranteed: accept any order, and never replace a newer state with an older one.',
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
    id: 'two-at-once',
    severity: 'must',
    expects: 'accepted',
    title: 'Two deliveries at the same time are accepted.',
    hint: 'Deliveries are independent: share no state between requests, and hold no locks for long.',
    isConcurrent: true,
    deliveries: (kit) => [kit.sign({ what: 'one' }), kit.sign({ what: 'the other' })],
  },
  {
    id: 'slow-body',
    severity: 'should',
    expects: 'accepted',
    title: 'A body that arrives in pieces over some seconds is accepted.',
    hint: 'Read the whole body before you verify it, and do not time out within seconds.',
    deliveries: (kit) => [{ ...kit.sign(), pieces: 4 }],
  },
]

const eventSchema = z.looseObject({ data: z.looseObject({}) })

const parsed = (kit: Kit) => eventSchema.parse(JSON.parse(kit.body()))

/** Returns a webhook.test event, which every endpoint receives, with this message. */
function testMessage(kit: Kit, message: string): string {
  const event = eventSchema.parse(JSON.parse(kit.body('webhook.test')))
  return JSON.stringify({ ...event, data: { ...event.data, message } })
}

/**
 * Returns the same JSON value in other bytes: texts begin with an escape, numbers have an exponent, and
 * there are extra spaces. Parsing it gives the same value; serializing that gives other bytes.
 */
export const respell = (json: string): string => `${spell(JSON.parse(json))}\n`

function spell(value: unknown): string {
  if (typeof value === 'string') return spellText(value)
  if (typeof value === 'number') return `${value}e0`
  if (Array.isArray(value)) return `[ ${value.map(spell).join(', ')} ]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${spellText(key)}: ${spell(member)}`,
  )
  return `{ ${members.join(', ')} }`
}

function spellText(text: string): string {
  if (text === '') return '""'
  const escaped = `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `"${escaped}${JSON.stringify(text.slice(1)).slice(1, -1)}"`
}
