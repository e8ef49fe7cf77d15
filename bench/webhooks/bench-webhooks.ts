import { setTimeout as sleep } from 'node:timers/promises'
import { deliveryWorkflowId } from '../../temporal/names.ts'
import { asInformation, atLeast, atMost } from '../figure.ts'
import type { Figure } from '../figure.ts'
import { median, percentile } from '../load.ts'
import { announce } from './announce.ts'
import { countActions } from './count-actions.ts'
import { openWebhookWorld } from './webhook-world.ts'
import type { WebhookWorld } from './webhook-world.ts'

/** Some seconds of work for two cores, so that starting and ending are a small part of a round. */
const ROUND_SIZE = 300
const ROUNDS = 5
const WARM_UP_ROUNDS = 2
const MORE_WORKERS = [2, 3]
const ROUNDS_OF_MORE = 3

const STEADY_PER_SECOND = 20
const STEADY_SECONDS = 45

const HISTORIES_READ = 200

/** The webhook rows of the budgets (design, section 9), and what more workers bring. */
export async function benchWebhooks(): Promise<Figure[]> {
  const world = await openWebhookWorld()
  try {
    await world.startWorker()
    const { figure, deliveryIds, perSecond } = await throughput(world)
    const latencies = await latency(world)
    const actions = await actionsOf(world, deliveryIds)
    return [figure, ...latencies, actions, ...(await growth(world, perSecond))]
  } finally {
    await world.close()
  }
}

async function throughput(world: WebhookWorld) {
  const ours: Round[] = []
  const anchors: number[] = []
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round += 1) {
    const anchor = await anchorRound(world)
    const delivered = await deliveryRound(world)
    console.error(
      `  … ${round > 0 ? `round ${round}` : 'warm-up'}: bare Temporal ${Math.round(anchor)}/s, webhooks ${Math.round(delivered.perSecond)}/s`,
    )
    if (round < 1) continue
    anchors.push(anchor)
    ours.push(delivered)
  }
  const perSecond = median(ours.map((one) => one.perSecond))
  const against = { anchor: median(anchors), least: 0.8 }
  return {
    figure: atLeast('webhook deliveries, first attempt succeeds', perSecond, '/s', against),
    deliveryIds: ours.flatMap((one) => one.deliveryIds),
    perSecond,
  }
}

interface Round {
  perSecond: number
  deliveryIds: number[]
}

/** From the start of the first workflow until all of them have ended. */
async function anchorRound(world: WebhookWorld): Promise<number> {
  const ended = await world.countEnded('anchor')
  const startedAt = performance.now()
  await world.startAnchors(ROUND_SIZE)
  await untilEnded(world, 'anchor', ended + ROUND_SIZE)
  return ROUND_SIZE / ((performance.now() - startedAt) / 1000)
}

/** From the commit of the events until each delivery's workflow has ended. */
async function deliveryRound(world: WebhookWorld): Promise<Round> {
  const ended = await world.countEnded('deliverWebhook')
  const { deliveryIds, committedAtMs } = await announce(world, ROUND_SIZE)
  await untilEnded(world, 'deliverWebhook', ended + ROUND_SIZE)
  const perSecond = ROUND_SIZE / ((Date.now() - committedAtMs) / 1000)
  await assertDelivered(world, deliveryIds)
  return { perSecond, deliveryIds }
}

const POLL_MS = 50

async function untilEnded(world: WebhookWorld, type: string, count: number): Promise<void> {
  while ((await world.countEnded(type)) < count) await sleep(POLL_MS)
}

/** A figure of deliveries that failed or came twice would be of something else. */
async function assertDelivered(world: WebhookWorld, deliveryIds: number[]): Promise<void> {
  const came = (await world.takeArrivals()).map(({ deliveryId }) => deliveryId)
  const rows = await world.db.em.fork().execute<{ id: number }[]>(
    `select id from webhook_delivery
     where id = any(?::int[]) and status = 'delivered' and attempt_count = 1`,
    [`{${deliveryIds.join(',')}}`],
  )
  if (rows.length !== deliveryIds.length || came.length !== deliveryIds.length)
    throw new Error(`${deliveryIds.length} events: ${rows.length} delivered, ${came.length} came`)
}

/** Events leave on a schedule that waits for no delivery, each in a transaction of its own. */
async function latency(world: WebhookWorld): Promise<Figure[]> {
  const commits: Promise<{ deliveryIds: number[]; committedAtMs: number }>[] = []
  const startedAt = performance.now()
  for (let sent = 0; sent < STEADY_PER_SECOND * STEADY_SECONDS; sent += 1) {
    const waitMs = startedAt + (sent * 1000) / STEADY_PER_SECOND - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    commits.push(announce(world, 1))
  }
  const sent = (await Promise.all(commits)).flatMap(({ deliveryIds, committedAtMs }) =>
    deliveryIds.map((id) => ({ id, committedAtMs })),
  )
  const arrivals = await arrivalsOf(world, sent.length)
  const latencies = sent
    .map(({ id, committedAtMs }) => (arrivals.get(id) ?? Number.NaN) - committedAtMs)
    .toSorted((a, b) => a - b)
  const row = (name: string, share: number, most: number) =>
    atMost(
      `commit to receiver, ${name} at ${STEADY_PER_SECOND}/s`,
      percentile(latencies, share) / 1000,
      's',
      { most },
    )
  return [row('p50', 0.5, 0.3), row('p99', 0.99, 1.5)]
}

/** When each of `count` deliveries arrived; waits for the last one. */
async function arrivalsOf(world: WebhookWorld, count: number): Promise<Map<number, number>> {
  const arrivals = new Map<number, number>()
  for (;;) {
    for (const { deliveryId, atMs } of await world.takeArrivals()) arrivals.set(deliveryId, atMs)
    if (arrivals.size >= count) return arrivals
    await sleep(POLL_MS)
  }
}

/** Counted in the histories of deliveries that were measured, as the server has them. */
async function actionsOf(world: WebhookWorld, deliveryIds: number[]): Promise<Figure> {
  const every = Math.ceil(deliveryIds.length / HISTORIES_READ)
  const counts: number[] = []
  for (const id of deliveryIds.filter((_, at) => at % every === 0)) {
    const handle = world.client.workflow.getHandle(deliveryWorkflowId(id))
    const { events } = await handle.fetchHistory()
    counts.push(countActions(events ?? []))
  }
  console.error(`  … actions in ${counts.length} histories: ${tally(counts)}`)
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
  return atMost('Temporal actions per delivered webhook', mean, 'actions', { most: 3 })
}

const tally = (counts: number[]): string =>
  [...new Set(counts)]
    .map((actions) => `${actions} in ${counts.filter((count) => count === actions).length}`)
    .join(', ')

async function growth(world: WebhookWorld, perSecondOfOne: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const workers of MORE_WORKERS) {
    await world.startWorker()
    await deliveryRound(world)
    const rates: number[] = []
    for (let round = 1; round <= ROUNDS_OF_MORE; round += 1)
      rates.push((await deliveryRound(world)).perSecond)
    figures.push(
      asInformation(`webhook deliveries, ${workers} worker processes`, median(rates), '/s', {
        anchor: perSecondOfOne,
      }),
    )
  }
  return figures
}
