import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { attemptsOfAll } from './answer-script.ts'
import { bringForward } from './bring-forward.ts'
import { openChaosFixture } from './chaos-fixture.ts'
import type { ChaosFixture } from './chaos-fixture.ts'
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
  const fixture = await openChaosFixture(folder, options.seed)
  const startedAt = performance.now()
  try {
    const { judgement, kills } = await run(fixture, options)
    const killed = (victim: Victim) => kills.filter((kill) => kill.victim === victim).length
    return {
      seed: options.seed,
      ...judgement,
      kills: { worker: killed('worker'), api: killed('api'), temporal: killed('temporal') },
      seconds: Math.round((performance.now() - startedAt) / 1e3),
    }
  } finally {
    await fixture.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function run(fixture: ChaosFixture, options: ChaosOptions) {
  const plan = planFeed(options.deliveries)
  const requests = attemptsOfAll(options.seed, plan.deliveries)
  const kills: Kill[] = []
  const over = new AbortController()
  let postsBegun = 0
  const killing = killAtMoments(fixture, kills, {
    times: options.kills,
    progressOf: (victim) =>
      victim === 'api' ? postsBegun / plan.posts : fixture.receiver.received.length / requests,
    isOver: () => over.signal.aborted,
  })
  const forward = bringForward(fixture, options.scheduledOneIn)
  try {
    const [eventIds] = await Promise.all([
      feedEvents(fixture, plan.events),
      feedPosts(fixture, plan.posts, (begun) => (postsBegun = begun)),
      tellProgress(fixture, kills, over.signal, options.tell),
      untilEnded(fixture, plan.deliveries).finally(() => over.abort()),
    ])
    await killing
    await untilNoneRuns(fixture)
    return { judgement: await judge(fixture, { eventIds, posts: plan.posts }, kills), kills }
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

async function countsOf({ db }: ChaosFixture): Promise<Counts> {
  const [counts] = await db.em.fork().execute<Counts[]>(
    `select count(*)::int as made, count(*) filter (where status = 'pending')::int as pending,
       coalesce(sum(attempt_count), 0)::int as attempts from webhook_delivery`,
  )
  return counts ?? { made: 0, pending: 0, attempts: 0 }
}

/** Resolves when all deliveries are made and have ended; rejects where nothing moves any more. */
async function untilEnded(fixture: ChaosFixture, deliveries: number): Promise<void> {
  let [seen, movedAtMs] = ['', Date.now()]
  for (;;) {
    const counts = await countsOf(fixture)
    if (counts.made >= deliveries && counts.pending === 0) return
    const now = `${counts.made} ${counts.pending} ${counts.attempts}`
    if (now !== seen) [seen, movedAtMs] = [now, Date.now()]
    if (Date.now() - movedAtMs > STUCK_AFTER_MS)
      throw new Error(`stuck: ${JSON.stringify(counts)}: ${await describePending(fixture)}`)
    await sleep(LOOK_MS)
  }
}

async function describePending({ db }: ChaosFixture): Promise<string> {
  const rows = await db.em.fork().execute(
    `select d.id, d.attempt_count, d.next_retry_at, d.created_at,
       (select count(*)::int from outbox o where o.subject_id = d.id::text) as commands
     from webhook_delivery d where status = 'pending' order by d.id limit 10`,
  )
  return JSON.stringify(rows)
}

const TELL_MS = 10_000

async function tellProgress(
  fixture: ChaosFixture,
  kills: Kill[],
  over: AbortSignal,
  tell: (line: string) => void,
): Promise<void> {
  while (!over.aborted) {
    await sleep(TELL_MS, undefined, { signal: over }).catch(() => {})
    const { made, pending, attempts } = await countsOf(fixture)
    tell(`${made} made, ${pending} pending, ${attempts} attempts, ${kills.length} kills`)
  }
}

/** A delivery that has ended must not leave a workflow behind. */
async function untilNoneRuns({ temporal }: ChaosFixture): Promise<void> {
  const query = `WorkflowType = 'deliverWebhook' AND ExecutionStatus = 'Running'`
  const endsAtMs = Date.now() + STUCK_AFTER_MS
  for (;;) {
    const running = await temporal.workflow.count(query).catch(() => null)
    if (running?.count === 0) return
    if (Date.now() > endsAtMs) throw new Error(`${running?.count} workflows of deliveries run on`)
    await sleep(LOOK_MS)
  }
}
