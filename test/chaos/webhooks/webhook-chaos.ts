import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { attemptsOfAll } from './answer-script.ts'
import { bringForward } from './bring-forward.ts'
import { openChaosWorld } from './chaos-world.ts'
import type { ChaosWorld } from './chaos-world.ts'
import { feedEvents, feedPosts, planFeed } from './feed.ts'
import { judge } from './judge.ts'
import type { Judgement } from './judge.ts'
import { killAtMoments } from './kills.ts'
import type { Kill, Victim } from './kills.ts'

export interface ChaosOptions {
  deliveries: number
  seed: number
  kills: Record<Victim, number>
  /** One in so many deliveries waits for its second attempt as the contract has it, a minute. */
  scheduledOneIn: number
  tell: (line: string) => void
}

export interface ChaosSummary extends Judgement {
  seed: number
  kills: Record<Victim, number>
  seconds: number
}

/** The longest legitimate wait: an activity's timeout of a minute, and the sweep after it. */
const STUCK_AFTER_MS = 240_000
const LOOK_MS = 500

/**
 * Makes deliveries while the worker, the api and the Temporal server are killed -9 at seeded
 * moments, and judges what became of them. Throws where something stays stuck.
 */
export async function runWebhookChaos(options: ChaosOptions): Promise<ChaosSummary> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-chaos-'))
  const world = await openChaosWorld(folder, options.seed)
  const startedAt = performance.now()
  try {
    const { judgement, kills } = await run(world, options)
    const killed = (victim: Victim) => kills.filter((kill) => kill.victim === victim).length
    return {
      ...{ seed: options.seed, ...judgement },
      kills: { worker: killed('worker'), api: killed('api'), temporal: killed('temporal') },
      seconds: Math.round((performance.now() - startedAt) / 1000),
    }
  } finally {
    await world.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function run(world: ChaosWorld, options: ChaosOptions) {
  const plan = planFeed(options.deliveries)
  const requests = attemptsOfAll(options.seed, plan.deliveries)
  const kills: Kill[] = []
  const over = new AbortController()
  let postsBegun = 0
  const killing = killAtMoments(world, kills, {
    times: options.kills,
    progressOf: (victim) =>
      victim === 'api' ? postsBegun / plan.posts : world.receiver.received.length / requests,
    isOver: () => over.signal.aborted,
  })
  const forward = bringForward(world, options.scheduledOneIn)
  try {
    const [eventIds] = await Promise.all([
      feedEvents(world, plan.events),
      feedPosts(world, plan.posts, (begun) => (postsBegun = begun)),
      tellProgress(world, kills, over.signal, options.tell),
      untilEnded(world, plan.deliveries).finally(() => over.abort()),
    ])
    await killing
    await untilNoneRuns(world)
    return { judgement: await judge(world, { eventIds, posts: plan.posts }, kills), kills }
  } finally {
    over.abort()
    await Promise.allSettled([killing, forward.stop()])
  }
}

interface Counts {
  made: number
  pending: number
  attempts: number
}

async function countsOf({ db }: ChaosWorld): Promise<Counts> {
  const [counts] = await db.em.fork().execute<Counts[]>(
    `select count(*)::int as made, count(*) filter (where status = 'pending')::int as pending,
       coalesce(sum(attempt_count), 0)::int as attempts from webhook_delivery`,
  )
  return counts ?? { made: 0, pending: 0, attempts: 0 }
}

/** Resolves when all deliveries are made and have ended; rejects where nothing moves any more. */
async function untilEnded(world: ChaosWorld, deliveries: number): Promise<void> {
  let [seen, movedAtMs] = ['', Date.now()]
  for (;;) {
    const counts = await countsOf(world)
    if (counts.made >= deliveries && counts.pending === 0) return
    const now = `${counts.made} ${counts.pending} ${counts.attempts}`
    if (now !== seen) [seen, movedAtMs] = [now, Date.now()]
    if (Date.now() - movedAtMs > STUCK_AFTER_MS)
      throw new Error(`stuck: ${JSON.stringify(counts)}: ${await describePending(world)}`)
    await sleep(LOOK_MS)
  }
}

async function describePending({ db }: ChaosWorld): Promise<string> {
  const rows = await db.em.fork().execute(
    `select d.id, d.attempt_count, d.next_retry_at, d.created_at,
       (select count(*)::int from outbox o where o.subject_id = d.id::text) as commands
     from webhook_delivery d where status = 'pending' order by d.id limit 10`,
  )
  return JSON.stringify(rows)
}

const TELL_MS = 10_000

async function tellProgress(
  world: ChaosWorld,
  kills: Kill[],
  over: AbortSignal,
  tell: (line: string) => void,
): Promise<void> {
  while (!over.aborted) {
    await sleep(TELL_MS, undefined, { signal: over }).catch(() => {})
    const { made, pending, attempts } = await countsOf(world)
    tell(`${made} made, ${pending} pending, ${attempts} attempts, ${kills.length} kills`)
  }
}

/** A delivery that has ended must not leave a workflow behind. */
async function untilNoneRuns({ temporal }: ChaosWorld): Promise<void> {
  const query = `WorkflowType = 'deliverWebhook' AND ExecutionStatus = 'Running'`
  const endsAtMs = Date.now() + STUCK_AFTER_MS
  for (;;) {
    const running = await temporal.workflow.count(query).catch(() => null)
    if (running?.count === 0) return
    if (Date.now() > endsAtMs) throw new Error(`${running?.count} workflows of deliveries run on`)
    await sleep(LOOK_MS)
  }
}
