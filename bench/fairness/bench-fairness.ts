import type { Client } from '@temporalio/client'
import { asInformation, atMost, pairsAtMost, type Figure } from '../figure.ts'
import { measureLatencies, percentile } from '../load.ts'
import { pairUp } from '../pairs.ts'
import { openApiAccount, type ApiAccount } from './api-account.ts'
import { withFairnessService } from './fairness-service.ts'
import { stepsOfVideo } from './steps-of-video.ts'

const MANY = 500
const PAIR = 2
/** Idle, then beside the others: as many, so that each has its anchor. */
const ROUNDS = 5
/** Of the time that the same two videos take while the service has nothing else to do. */
const MOST_RATIO = 1.5
const P99_BUDGET_MS = 250
const READS_PER_SECOND = 20

/**
 * Measures how long two videos of one account take while five hundred of another wait, compared with a service that is
 * idle, and how long the API takes to respond meanwhile. Ends when this is measured, before the five hundred are ready.
 */
export const benchFairness = (): Promise<Figure[]> =>
  withFairnessService(async ({ service, host, client }) => {
    const sourceUrl = `${host.baseUrl}/files/tiny.mp4`
    const many = await openApiAccount(service, 'Many', sourceUrl)
    const few = await openApiAccount(service, 'Few', sourceUrl)
    return measure(many, few, client)
  })

async function measure(many: ApiAccount, few: ApiAccount, client: Client): Promise<Figure[]> {
  // The first videos of a process load its programs.
  await few.untilReady(await few.add(PAIR))
  const idle: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) idle.push(await timePair(few, client))
  const waiting = await many.add(MANY)
  const reads = { stop: false }
  const latencies = readMeanwhile(many, few, reads)
  const loaded: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) loaded.push(await timePair(few, client))
  reads.stop = true
  const times = await latencies
  const left = await many.countUnready(waiting)
  if (left === 0) throw new Error('the others were ready before the measurement ended')
  return [
    pairsAtMost(
      `two videos beside ${MANY} of another account`,
      pairUp(loaded, idle),
      's',
      MOST_RATIO,
    ),
    asInformation(`the first pair after these`, loaded[0] ?? Number.NaN, 's'),
    asInformation('of these, not ready at the end', left, 'videos'),
    asInformation('reads of the API meanwhile, p50', percentile(times, 0.5), 'ms'),
    atMost('reads of the API meanwhile, p99', percentile(times, 0.99), 'ms', {
      most: P99_BUDGET_MS,
    }),
  ]
}

/** Returns the seconds from the request for two videos to the second one that is ready. */
async function timePair(account: ApiAccount, client: Client): Promise<number> {
  const startedAt = performance.now()
  const ids = await account.add(PAIR)
  await account.untilReady(ids)
  const seconds = (performance.now() - startedAt) / 1000
  console.error(`  … two videos: ${seconds.toFixed(2)} s`)
  for (const id of ids) console.error(`    ${await describeSteps(client, id)}`)
  return seconds
}

const SLICE_SECONDS = 2

/** Reads lists at a steady rate until `reads.stop`. */
async function readMeanwhile(
  many: ApiAccount,
  few: ApiAccount,
  reads: { stop: boolean },
): Promise<number[]> {
  const latencies: number[] = []
  const rate = { perSecond: READS_PER_SECOND / 2, seconds: SLICE_SECONDS }
  while (!reads.stop) {
    const both = await Promise.all([many, few].map(({ load }) => measureLatencies(load, rate)))
    latencies.push(...both.flat())
  }
  return latencies
}

/** Returns for each step how long it waited for a worker and how long it ran, in milliseconds. */
async function describeSteps(client: Client, videoId: string): Promise<string> {
  const steps = await stepsOfVideo(client, videoId)
  return steps
    .map(({ name, waitedMs, ranMs }) => `${name} ${waitedMs.toFixed(0)}+${ranMs.toFixed(0)}`)
    .join(', ')
}
