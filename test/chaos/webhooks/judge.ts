import { DELIVERY_ATTEMPTS } from '../../../domain/webhooks/webhook-delivery.ts'
import type { Kill } from '../kills.ts'
import { deliveriesOfOne, type ChaosFixture } from './chaos-fixture.ts'
import type { ReceivedRequest } from './receiver.ts'
import { RECORDED_AS, responsesFor } from './response-script.ts'

/** The ids of the appended events, and the number of captions that the API accepted. */
export interface Made {
  eventIds: string[]
  posts: number
}

interface Delivery {
  id: number
  status: string
  eventId: string
  eventType: 'video.ready' | 'video.created' | 'caption.ready'
  body: string
  attempts: Attempt[]
}

interface Attempt {
  number: number
  trigger: string
  errorCode: string | null
}

export interface Judgement {
  /** Broken guarantees; empty if all held. */
  violations: string[]
  deliveries: number
  delivered: number
  failed: number
  attempts: number
  manualAttempts: number
  requests: number
  /** Requests of attempts that were sent again because a kill lost the response. */
  duplicates: number
  /** Attempts that timed out although the receiver responded, because the machine was too slow. */
  slow: number
}

/** Compares the database at the end with the requests that the receiver saw. */
export async function judge(fixture: ChaosFixture, made: Made, kills: Kill[]): Promise<Judgement> {
  const deliveries = await readDeliveries(fixture)
  const { received } = fixture.receiver
  const violations = missing(deliveries, made)
  let slow = 0
  const requestsOf = Map.groupBy(received, ({ deliveryId }) => deliveryId)
  for (const delivery of deliveries) {
    const requests = requestsOf.get(delivery.id) ?? []
    const found = judgeAttempts(delivery, responsesFor(fixture.seed, delivery.id))
    slow += found.slow
    const problems = [...found.problems, ...judgeRequests(delivery, requests, kills)]
    violations.push(...problems.map((problem) => `delivery ${delivery.id}: ${problem}`))
  }
  const attempts = deliveries.flatMap((delivery) => delivery.attempts)
  const count = (status: string) => deliveries.filter((one) => one.status === status).length
  return {
    violations,
    deliveries: deliveries.length,
    delivered: count('delivered'),
    failed: count('failed'),
    attempts: attempts.length,
    manualAttempts: attempts.filter(({ trigger }) => trigger === 'manual').length,
    requests: received.length,
    duplicates:
      received.length - new Set(received.map((one) => `${one.deliveryId}/${one.number}`)).size,
    slow,
  }
}

async function readDeliveries({ db }: ChaosFixture): Promise<Delivery[]> {
  return db.em.fork().execute<Delivery[]>(
    `select d.id, d.status, d.event_id as "eventId", d.event_type as "eventType", v.body,
       coalesce((select jsonb_agg(jsonb_build_object('number', a.number, 'trigger', a.trigger,
           'errorCode', a.error_code) order by a.number)
         from webhook_attempt a where a.delivery_id = d.id), '[]') as attempts
     from webhook_delivery d join event v on v.id = d.event_id order by d.id`,
  )
}

/** Checks that each event has its deliveries, each once, and that no other delivery exists. */
function missing(deliveries: Delivery[], { eventIds, posts }: Made): string[] {
  const byEvent = Map.groupBy(deliveries, ({ eventId }) => eventId)
  const wrong = [...byEvent].filter(
    ([, some]) => some.length !== deliveriesOfOne(some[0]?.eventType ?? 'video.ready'),
  )
  const captions = [...byEvent].filter(([, [first]]) => first?.eventType === 'caption.ready')
  const problems = [
    ...eventIds.filter((id) => !byEvent.has(id)).map((id) => `event ${id} has no delivery`),
    ...wrong.map(([id, some]) => `event ${id} has ${some.length} deliveries`),
  ]
  if (captions.length !== posts)
    problems.push(`${posts} captions were posted, and ${captions.length} were announced`)
  if (byEvent.size !== eventIds.length + captions.length)
    problems.push(`${byEvent.size} events where ${eventIds.length + captions.length} were made`)
  return problems
}

function judgeAttempts(
  { status, attempts }: Delivery,
  script: readonly (keyof typeof RECORDED_AS)[],
) {
  const problems: string[] = []
  let slow = 0
  attempts.forEach(({ number, errorCode }, at) => {
    if (number !== at + 1) problems.push(`attempt ${at + 1} has the number ${number}`)
    const response = script[at] ?? 'ok'
    if (errorCode === RECORDED_AS[response]) return
    if (errorCode === 'timeout') slow += 1
    else problems.push(`attempt ${number} got ${response} and recorded ${errorCode}`)
  })
  const scheduled = attempts.filter(({ trigger }) => trigger === 'schedule').length
  if (scheduled > DELIVERY_ATTEMPTS) problems.push(`${scheduled} scheduled attempts`)
  const last = attempts.at(-1)
  const ended =
    last?.errorCode === null ? 'delivered' : scheduled >= DELIVERY_ATTEMPTS ? 'failed' : 'pending'
  if (status === 'pending' || status !== ended)
    problems.push(`${status} after ${scheduled} scheduled attempts of ${attempts.length}`)
  if (attempts.slice(0, -1).some(({ errorCode }) => errorCode === null))
    problems.push('an attempt followed a success')
  return { problems, slow }
}

function judgeRequests(
  { body, attempts }: Delivery,
  requests: ReceivedRequest[],
  kills: Kill[],
): string[] {
  const problems: string[] = []
  const byNumber = Map.groupBy(requests, ({ number }) => number)
  for (const { number, errorCode } of attempts)
    if (!byNumber.has(number) && errorCode !== 'timeout')
      problems.push(`attempt ${number} is recorded and was not received`)
  for (const [number, some] of byNumber) {
    if (number > attempts.length) problems.push(`a request after ${attempts.length} attempts`)
    if (some.some((request) => !request.isGenuine)) problems.push('a signature is wrong')
    if (some.some((request) => request.body !== body)) problems.push('a body is not the event')
    some.slice(1).forEach((again, at) => {
      const first = some[at]
      if (first && !isExplained(first, again, kills))
        problems.push(
          `attempt ${number} was sent again after ${again.receivedAtMs - first.receivedAtMs} ms, and no worker was killed in between`,
        )
    })
  }
  return problems
}

/** A busy receiver may read a request a moment after the worker that sent it was killed. */
const READ_LATER_MS = 5_000

const isExplained = (first: ReceivedRequest, again: ReceivedRequest, kills: Kill[]): boolean =>
  kills.some(
    ({ victim, atMs }) =>
      victim === 'worker' &&
      first.receivedAtMs <= atMs + READ_LATER_MS &&
      atMs <= again.receivedAtMs,
  )
