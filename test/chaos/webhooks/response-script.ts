import {
  DELIVERY_ATTEMPTS,
  type DeliveryErrorCode,
} from '../../../domain/webhooks/webhook-delivery.ts'
import { createRandom } from '../random.ts'

/** The behaviour of a receiver: 200, 500, 302, a broken connection, or no response. */
export type ScriptedResponse = 'ok' | 'error' | 'redirect' | 'reset' | 'hang'

/** What the product must record for each. */
export const RECORDED_AS: Record<ScriptedResponse, DeliveryErrorCode | null> = {
  ok: null,
  error: 'http_error',
  redirect: 'redirect_not_followed',
  reset: 'connection_reset',
  hang: 'timeout',
}

const FAILURES = ['error', 'error', 'error', 'error', 'reset', 'reset', 'redirect'] as const

/** Shares of deliveries by the number of attempts that fail; the others succeed with the first attempt. */
const FAILED_FIRST: [attempts: number, share: number][] = [
  [1, 0.12],
  [2, 0.06],
  [3, 0.05],
  [4, 0.04],
  [DELIVERY_ATTEMPTS, 0.03],
]

/** Each takes the 15 seconds of the contract, so there are few, at most one per delivery. */
const HANG_SHARE = 0.08

/** Returns the responses to the first five attempts of a delivery; later attempts receive 200. */
export function responsesFor(seed: number, deliveryId: number): ScriptedResponse[] {
  const random = createRandom(seed, 'answers', deliveryId)
  const failures = failuresOf(random.next())
  const hangsAt = random.next() < HANG_SHARE ? random.int(failures) : -1
  return Array.from({ length: DELIVERY_ATTEMPTS }, (_, at): ScriptedResponse => {
    const failure = random.pick(FAILURES)
    if (at >= failures) return 'ok'
    return at === hangsAt ? 'hang' : failure
  })
}

function failuresOf(roll: number): number {
  let from = 0
  for (const [attempts, share] of FAILED_FIRST) {
    from += share
    if (roll < from) return attempts
  }
  return 0
}

/** Returns the number of attempts that the deliveries 1 to `count` take. */
export function attemptsOfAll(seed: number, count: number): number {
  let sum = 0
  for (let id = 1; id <= count; id += 1) {
    const successAt = responsesFor(seed, id).indexOf('ok')
    sum += successAt < 0 ? DELIVERY_ATTEMPTS : successAt + 1
  }
  return sum
}
