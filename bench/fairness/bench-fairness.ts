import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { createS3 } from '../../test/infrastructure/s3.ts'
import { makeSource } from '../../test/fixtures/sources.ts'
import { startService } from '../../test/fixtures/running-service.ts'
import { openOutsideHost } from '../../test/infrastructure/outside-host.ts'
import { startGuard } from '../../scripts/embedded/guard.ts'
import { asInformation, atMost } from '../figure.ts'
import type { Figure } from '../figure.ts'
import { measureLatencies, median, percentile } from '../load.ts'
import { openApiAccount } from './api-account.ts'
import type { ApiAccount } from './api-account.ts'
import { stepsOfVideo } from './steps-of-video.ts'

const MANY = 500
const PAIR = 2
const ROUNDS = 3
const LOADED_ROUNDS = 5
/** Of the time that the same two videos take while the service has nothing else to do. */
const MOST_RATIO = 1.5
const P99_BUDGET_MS = 250
const READS_PER_SECOND = 20

/**
 * Measures how long two videos of one account take while five hundred of another wait, compared with a service that is
 * idle, and how long the API takes to answer meanwhile. Ends when this is measured, before the five hundred are ready.
 */
export async function benchFairness(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-bench-fairness-'))
  const source = join(folder, 'tiny.mp4')
  await makeSource(source, { seconds: 2, size: '426x240', rate: 12, grain: false })
  const guard = startGuard()
  const s3 = createS3(folder, guard)
  const bucket = await s3.createBucket()
  const host = await openOutsideHost(folder, { 'tiny.mp4': source })
  const service = await startService(join(folder, 'data'), {
    S3_ENDPOINT: bucket.endpoint,
    S3_REGION: bucket.region,
    S3_BUCKET: bucket.bucket,
    S3_ACCESS_KEY: bucket.accessKey,
    S3_SECRET_KEY: bucket.secretKey,
    EGRESS_CA_FILE: host.caFile,
    LOG_LEVEL: 'warn',
  })
  const connection = await Connection.connect({ address: service.temporal })
  const client = new Client({ connection })
  try {
    const sourceUrl = `${host.baseUrl}/files/tiny.mp4`
    const many = await openApiAccount(service, 'Many', sourceUrl)
    const few = await openApiAccount(service, 'Few', sourceUrl)
    return await measure(many, few, client)
  } finally {
    await connection.close()
    await service.crash()
    await host.close()
    await s3.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function measure(many: ApiAccount, few: ApiAccount, client: Client): Promise<Figure[]> {
  // The first videos of a process load its programs.
  await few.untilReady(await few.add(PAIR))
  const idle: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) idle.push(await timePair(few, client))
  const waiting = await many.add(MANY)
  const reads = { stop: false }
  const latencies = readMeanwhile(many, few, reads)
  const loaded: number[] = []
  for (let round = 0; round < LOADED_ROUNDS; round += 1) loaded.push(await timePair(few, client))
  reads.stop = true
  const sorted = (await latencies).toSorted((a, b) => a - b)
  const left = await many.countUnready(waiting)
  if (left === 0) throw new Error('the others were ready before the measurement ended')
  return [
    atMost(`two videos beside ${MANY} of another account`, median(loaded), 's', {
      anchor: median(idle),
      most: MOST_RATIO,
    }),
    asInformation(`the first pair after these`, loaded[0] ?? Number.NaN, 's'),
    asInformation('of these, not ready at the end', left, 'videos'),
    asInformation('reads of the API meanwhile, p50', percentile(sorted, 0.5), 'ms'),
    atMost('reads of the API meanwhile, p99', percentile(sorted, 0.99), 'ms', {
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
