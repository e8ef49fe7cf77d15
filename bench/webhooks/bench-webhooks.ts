import { setTimeout as sleep } from 'node:timers/promises'
import { WebhookDelivery } from '../../db/entities/event.ts'
import { deliveryWorkflowId } from '../../domain/workflow-ids.ts'
import { countCommits } from '../count-commits.ts'
import { asInformation, atMost, pairsAtLeast, type Figure } from '../figure.ts'
import { median, percentile } from '../load.ts'
import { pairUp } from '../pairs.ts'
import { countActions } from './count-actions.ts'
import { openWebhookBenchFixture, type Announcement, type WebhookBenchFixture } from './fixture.ts'

/** Some seconds of work for two cores, so that start and end are a small part of a round. */
const ROUND_SIZE = 300
const ROUNDS = 5
const RATE_MIN = 1.1
const WARM_UP_ROUNDS = 2
const MORE_WORKERS = [2, 3]
const ROUNDS_OF_MORE = 3

/** Rates of events, how long they last, and the most seconds from the commit to the receiver: at the median and at p99. */
const STEADY = [
  { perSecond: 20, seconds: 45, p50: 0.05, p99: 0.2 },
  { perSecond: 200, seconds: 10, p50: 0.1, p99: 0.5 },
]

const HISTORIES_READ = 200

/** Measures webhook deliveries, compared with bare Temporal, and with more workers. */
export async function benchWebhooks(): Promise<Figure[]> {
  const fixture = await openWebhookBenchFixture()
  try {
    await fixture.startWorker()
    const { figure, commits, deliveryIds, perSecond } = await throughput(fixture)
    const latencies: Figure[] = []
    for (const steady of STEADY) latencies.push(...(await latency(fixture, steady)))
    const actions = await actionsOf(fixture, deliveryIds)
    return [figure, commits, ...latencies, actions, ...(await growth(fixture, perSecond))]
  } finally {
    await fixture.close()
  }
}

async function throughput(fixture: WebhookBenchFixture) {
  const rounds: Round[] = []
  const anchors: number[] = []
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round += 1) {
    const anchor = await anchorRound(fixture)
    const delivered = await deliveryRound(fixture)
    console.error(
      `  … ${round > 0 ? `round ${round}` : 'warm-up'}: bare Temporal ${Math.round(anchor)}/s, webhooks ${Math.round(delivered.perSecond)}/s`,
    )
    if (round < 1) continue
    anchors.push(anchor)
    rounds.push(delivered)
  }
  const perSecond = median(rounds.map((one) => one.perSecond))
  const commits = median(rounds.map((one) => one.commits / ROUND_SIZE))
  const pairs = pairUp(
    rounds.map((one) => one.perSecond),
    anchors,
  )
  return {
    figure: pairsAtLeast('webhook deliveries, first attempt succeeds', pairs, '/s', RATE_MIN),
    commits: asInformation('commits of PostgreSQL per delivered webhook', commits, ''),
    deliveryIds: rounds.flatMap((one) => one.deliveryIds),
    perSecond,
  }
}

interface Round {
  perSecond: number
  /** How many transactions have written. */
  commits: number
  deliveryIds: number[]
}

/** Measures from the start of the first workflow to the end of the last one. */
async function anchorRound(fixture: WebhookBenchFixture): Promise<number> {
  const ended = await fixture.countEnded('anchor')
  const startedAt = performance.now()
  await fixture.startAnchors(ROUND_SIZE)
  await untilEnded(fixture, 'anchor', ended + ROUND_SIZE)
  return ROUND_SIZE / ((performance.now() - startedAt) / 1000)
}

/** Measures from the commit of the events to the end of the last delivery workflow. */
async function deliveryRound(fixture: WebhookBenchFixture): Promise<Round> {
  const ended = await fixture.countEnded('deliverWebhook')
  const commitsBefore = await countCommits(fixture.db)
  const { deliveryIds, committedAtMs } = await fixture.announce(ROUND_SIZE)
  await untilEnded(fixture, 'deliverWebhook', ended + ROUND_SIZE)
  const perSecond = ROUND_SIZE / ((Date.now() - committedAtMs) / 1000)
  const commits = (await countCommits(fixture.db)) - commitsBefore
  await assertDelivered(fixture, deliveryIds)
  return { perSecond, commits, deliveryIds }
}

const POLL_MS = 50

async function untilEnded(
  fixture: WebhookBenchFixture,
  type: string,
  count: number,
): Promise<void> {
  while ((await fixture.countEnded(type)) < count) await sleep(POLL_MS)
}

/** Throws unless each event was delivered exactly once, at the first attempt. */
async function assertDelivered(fixture: WebhookBenchFixture, deliveryIds: number[]): Promise<void> {
  const arrived = (await fixture.takeArrivals()).map(({ deliveryId }) => deliveryId)
  const ids = { $in: deliveryIds }
  const where = { id: ids, status: 'delivered', attemptCount: 1 } as const
  const delivered = await fixture.db.em.fork().count(WebhookDelivery, where)
  if (delivered !== deliveryIds.length || arrived.length !== deliveryIds.length)
    throw new Error(
      `${deliveryIds.length} events: ${delivered} delivered, ${arrived.length} arrived`,
    )
}

/** Announces events on a fixed schedule, each in a separate transaction, without waiting for deliveries. */
async function latency(
  fixture: WebhookBenchFixture,
  { perSecond, seconds, p50, p99 }: (typeof STEADY)[number],
): Promise<Figure[]> {
  const commits: Promise<Announcement>[] = []
  const startedAt = performance.now()
  for (let sent = 0; sent < perSecond * seconds; sent += 1) {
    const waitMs = startedAt + (sent * 1000) / perSecond - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    commits.push(fixture.announce(1))
  }
  const sent = (await Promise.all(commits)).flatMap(({ deliveryIds, committedAtMs }) =>
    deliveryIds.map((id) => ({ id, committedAtMs })),
  )
  const arrivals = await arrivalsOf(fixture, sent.length)
  const latencies = sent
    .map(({ id, committedAtMs }) => (arrivals.get(id) ?? Number.NaN) - committedAtMs)
    .toSorted((a, b) => a - b)
  const row = (name: string, share: number, most: number) =>
    atMost(
      `commit to receiver, ${name} at ${perSecond}/s`,
      percentile(latencies, share) / 1000,
      's',
      { most },
    )
  return [row('p50', 0.5, p50), row('p99', 0.99, p99)]
}

/** Waits for `count` deliveries and returns their times of arrival by id. */
async function arrivalsOf(
  fixture: WebhookBenchFixture,
  count: number,
): Promise<Map<number, number>> {
  const arrivals = new Map<number, number>()
  for (;;) {
    for (const { deliveryId, atMs } of await fixture.takeArrivals()) arrivals.set(deliveryId, atMs)
    if (arrivals.size >= count) return arrivals
    await sleep(POLL_MS)
  }
}

/** Counts the billed actions in the histories of some measured deliveries. */
async function actionsOf(fixture: WebhookBenchFixture, deliveryIds: number[]): Promise<Figure> {
  const every = Math.ceil(deliveryIds.length / HISTORIES_READ)
  const counts: number[] = []
  for (const id of deliveryIds.filter((_, index) => index % every === 0)) {
    const handle = fixture.deliveries.workflow.getHandle(deliveryWorkflowId(id))
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

async function growth(fixture: WebhookBenchFixture, perSecondOfOne: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const workers of MORE_WORKERS) {
    await fixture.startWorker()
    await deliveryRound(fixture)
    const rates: number[] = []
    for (let round = 1; round <= ROUNDS_OF_MORE; round += 1)
      rates.push((await deliveryRound(fixture)).perSecond)
    figures.push(
      asInformation(`webhook deliveries, ${workers} worker processes`, median(rates), '/s', {
        anchor: perSecondOfOne,
      }),
    )
  }
  return figures
}
