import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { killAtMoments, type Kill, type Victim } from '../kills.ts'
import { bringForward } from './bring-forward.ts'
import { openChaosFixture, type ChaosFixture } from './chaos-fixture.ts'
import { feedEvents, feedPosts, planFeed } from './feed.ts'
import { judge, type Judgement } from './judge.ts'
import { attemptsOfAll } from './response-script.ts'

export interface ChaosOptions {
  deliveries: number
  seed: number
  kills: Record<Victim, number>
  /** One in this many deliveries waits the contract's minute before its second attempt. */
  scheduledOneIn: number
  tell: (line: string) => void
}

export interface ChaosSummary extends Judgement {
  seed: number
  kills: Record<Victim, number>
  seconds: number
}

/** The longest legitimate wait: an activity's timeout of a minute, then the sweep. */
const STUCK_AFTER_MS = 240_000
const LOOK_MS = 500

/**
 * Makes deliveries while the worker, the API and the Temporal server are killed (-9) at times that
 * depend on the seed, and judges the results. Throws if a delivery stays stuck.
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

/** Resolves when all deliveries are made and have ended; rejects if they no longer progress. */
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
