import type { DeliveryCheck } from './check.ts'
import type { Delivery, Kit } from './kit.ts'

const MINUTE_SECONDS = 60

/** Deliveries that are forged or too old, and that a receiver must refuse with 400. */
export const REFUSED: DeliveryCheck[] = [
  {
    id: 'six-minutes-old',
    severity: 'must',
    expects: 'refused',
    title: 'A delivery signed more than five minutes ago is refused.',
    hint: 'Compare t with your clock before the signature, so that a recorded delivery cannot be sent again later.',
    deliveries: (kit) => [kit.sign({ ageSeconds: 6 * MINUTE_SECONDS })],
  },
  {
    id: 'six-minutes-ahead',
    severity: 'must',
    expects: 'refused',
    title: 'A delivery signed more than five minutes ahead is refused.',
    hint: 'Compare the absolute difference between t and your clock with 300 seconds.',
    deliveries: (kit) => [kit.sign({ ageSeconds: -6 * MINUTE_SECONDS })],
  },
  {
    id: 'tampered-body',
    severity: 'must',
    expects: 'refused',
    isForgery: true,
    title: 'A body that was changed after the signature is refused.',
    hint: 'Verify the signature of the raw body before anything else, and respond with 400 if it fails.',
    deliveries(kit) {
      const { body, ...delivery } = kit.sign()
      return [{ ...delivery, body: body.replace(/"evt_\w{4}/, '"evt_0000') }]
    },
  },
  {
    id: 'other-body',
    severity: 'must',
    expects: 'refused',
    isForgery: true,
    title: 'The signature of another delivery is refused.',
    hint: 'The signed message is t, a period and the raw body of the same request.',
    deliveries: (kit) => [{ ...kit.sign(), body: kit.body() }],
  },
  {
    id: 'wrong-secret',
    severity: 'must',
    expects: 'refused',
    isForgery: true,
    title: 'A delivery signed with another secret is refused.',
    hint: "Key the HMAC with this endpoint's secret.",
    deliveries: (kit) => [kit.sign({ secrets: [kit.otherSecret] })],
  },
  {
    id: 'no-signature',
    severity: 'must',
    expects: 'refused',
    isForgery: true,
    title: 'A delivery without a signature is refused.',
    hint: 'A missing header is a failed verification, not a reason to skip it.',
    deliveries: (kit) => [unsigned(kit.sign())],
  },
  {
    id: 'malformed-header',
    severity: 'must',
    expects: 'refused',
    isForgery: true,
    title: 'A malformed signature header is refused without a crash.',
    hint: 'Parse the header strictly: t in digits, then each v1 with 64 characters of lowercase hex. Anything else is 400.',
    deliveries: (kit) => [
      forge(kit, 'noise', () => ['garbage', 'garbage']),
      forge(kit, 'nothing but commas', () => [',,,=,', ', ,,']),
      forge(kit, 'no t', ({ v1, base64 }) => [`v1=${v1}`, base64]),
      forge(kit, 'no v1', ({ t }) => [`t=${t}`, 'v1']),
      forge(kit, 'empty t', ({ v1, base64 }) => [`t=,v1=${v1}`, `,${base64}`]),
      forge(kit, 't in letters', ({ v1, base64 }) => [`t=now,v1=${v1}`, `now,${base64}`]),
      forge(kit, 'no hex', ({ t }) => [`t=${t},v1=${'z'.repeat(64)}`, `v1,${'!'.repeat(44)}`]),
    ],
  },
  {
    id: 'truncated-signature',
    severity: 'must',
    expects: 'refused',
    isForgery: true,
    title: 'A part of the correct signature is refused without a crash.',
    hint: 'Compare the lengths first: crypto.timingSafeEqual throws if they differ.',
    deliveries: (kit) => [
      forge(kit, 'half of it', ({ t, v1, base64 }) => [
        `t=${t},v1=${v1.slice(0, 32)}`,
        `v1,${base64.slice(0, 20)}`,
      ]),
      forge(kit, 'one character of it', ({ t, v1, base64 }) => [
        `t=${t},v1=${v1.slice(0, 1)}`,
        `v1,${base64.slice(0, 1)}`,
      ]),
    ],
  },
  {
    id: 'empty-signature',
    severity: 'must',
    expects: 'refused',
    isForgery: true,
    title: 'An empty v1 is refused without a crash.',
    hint: 'Require 64 characters, so that an empty signature does not match as a prefix.',
    deliveries: (kit) => [forge(kit, 'empty', ({ t }) => [`t=${t},v1=`, 'v1,'])],
  },
  {
    id: 'other-scheme',
    severity: 'must',
    expects: 'refused',
    isForgery: true,
    title: 'A signature with another name than v1 is refused.',
    hint: 'Check only v1 and ignore every other scheme: accepting v0 allows a downgrade.',
    deliveries: (kit) => [
      forge(kit, 'v0', ({ t, v1, base64 }) => [`t=${t},v0=${v1}`, `v0,${base64}`]),
    ],
  },
  {
    id: 'uppercase-hex',
    severity: 'info',
    expects: 'refused',
    title: 'A signature in uppercase hex is refused, because the contract requires lowercase.',
    hint: 'Harmless: your comparison ignores case or decodes the hex.',
    deliveries: (kit) => [
      forge(kit, 'uppercase', ({ t, v1, base64 }) => [
        `t=${t},v1=${v1.toUpperCase()}`,
        `v1,${base64.toUpperCase()}`,
      ]),
    ],
  },
]

/**
 * Returns a delivery with forged Service-Signature and webhook-signature headers. Both are derived from
 * the correct ones, because a receiver may verify either.
 */
function forge(
  kit: Kit,
  what: string,
  write: (correct: {
    t: string
    v1: string
    base64: string
  }) => [service: string, standard: string],
): Delivery {
  const { headers, ...delivery } = kit.sign({ what })
  const [, t = '', v1 = ''] = /^t=(\d+),v1=(\w+)$/.exec(headers['Service-Signature'] ?? '') ?? []
  const base64 = (headers['webhook-signature'] ?? '').replace('v1,', '')
  const [service, standard] = write({ t, v1, base64 })
  const forged = { 'Service-Signature': service, 'webhook-signature': standard }
  return { ...delivery, headers: { ...headers, ...forged } }
}

const SIGNATURE_HEADERS = [
  'Service-Signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
]

const unsigned = ({ headers, ...delivery }: Delivery): Delivery => ({
  ...delivery,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name]) => !SIGNATURE_HEADERS.includes(name)),
  ),
})
