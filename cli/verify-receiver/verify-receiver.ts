import type { EventType } from '../../domain/webhooks/events.ts'
import type {
  DeliveryCheck,
  Finding,
  Limits,
  Observation,
  ReceiverResponse,
  Severity,
} from './check.ts'
import { ACCEPTED, GOOD_DELIVERY } from './checks-accepted.ts'
import { INFORMATIVE, OBSERVED } from './checks-informative.ts'
import { REFUSED } from './checks-refused.ts'
import { EXPECTED, isAccepted, judge } from './judge.ts'
import { createKit, type Kit } from './kit.ts'
import { send } from './send.ts'

export interface Receiver {
  /** Any http or https URL. */
  url: URL
  /** The secret of the endpoint, `whsec_…`. */
  secret: string
  /** The event types that it handles. */
  types: EventType[]
  limits: Limits
}

/** A check and its finding. */
export interface Result extends Finding {
  id: string
  severity: Severity
  title: string
  expected: string
  hint: string
  /** True if the receiver accepted a forged delivery. */
  wasFooled: boolean
}

const AFTER_GOOD: DeliveryCheck[] = [...ACCEPTED, ...REFUSED, ...INFORMATIVE]

/**
 * Runs all checks on a receiver, one after another. If the good delivery fails, sends nothing else.
 * Never rejects because of the receiver.
 */
export async function verifyReceiver(receiver: Receiver): Promise<Result[]> {
  const kit = createKit(receiver.secret, receiver.types)
  const responses: ReceiverResponse[] = []
  const run = async (check: DeliveryCheck): Promise<Result> => {
    const own = await deliver(receiver, check, kit)
    responses.push(...own)
    const wasFooled = check.isForgery === true && own.some(isAccepted)
    return { ...resultOf(check, EXPECTED[check.expects], judge(check, own)), wasFooled }
  }
  const good = await run(GOOD_DELIVERY)
  const results = [good]
  for (const check of AFTER_GOOD) {
    const skip = skipOf(check, receiver, good)
    results.push(skip ? resultOf(check, EXPECTED[check.expects], skip) : await run(check))
  }
  for (const check of OBSERVED)
    results.push(
      resultOf(check, check.expected, check.judge(responses, receiver.limits, receiver.url)),
    )
  return results
}

async function deliver(
  { url, limits }: Receiver,
  { deliveries, isConcurrent }: DeliveryCheck,
  kit: Kit,
): Promise<ReceiverResponse[]> {
  if (isConcurrent)
    return await Promise.all(deliveries(kit).map((delivery) => send(url, delivery, limits)))
  const responses: ReceiverResponse[] = []
  for (const delivery of deliveries(kit)) responses.push(await send(url, delivery, limits))
  return responses
}

function skipOf({ needs }: DeliveryCheck, { types }: Receiver, good: Finding): Finding | null {
  if (good.status === 'failed')
    return { status: 'skipped', got: `the good delivery already fails (${good.got})${guess(good)}` }
  const missing = needs?.filter((type) => !types.includes(type)) ?? []
  if (missing.length === 0) return null
  return { status: 'skipped', got: `it does not handle ${missing.join(', ')}` }
}

function guess({ got }: Finding): string {
  if (/^4\d\d/.test(got)) return ": is it this endpoint's secret?"
  if (/^(dns_error|connection_refused)/.test(got)) return ': is it reachable from here?'
  return ''
}

const resultOf = (
  { id, severity, title, hint }: DeliveryCheck | Observation,
  expected: string,
  finding: Finding,
): Result => ({ id, severity, title, expected, hint, wasFooled: false, ...finding })
