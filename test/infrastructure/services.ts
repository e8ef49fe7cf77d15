/**
 * Real services for tests. Each starts at its first use, once per test run, and stops at the end of the
 * run. No set-up is needed: `npm test -- path/to/one.test.ts` is enough.
 *
 *   import { createTestDatabase, temporalAddress } from '../test/infrastructure/services.ts'
 *
 *   let database: TestDatabase
 *   beforeAll(async () => { database = await createTestDatabase() })   // migrated, empty, not shared
 *   afterAll(() => database.drop())                                    // also drops open connections and
 *                                     // throws if an event in it is invalid (check-events.ts) or a
 *                                     // rotation would forget a sealed value (check-sealed.ts)
 *
 *   await copyPreparedVideos()        // a database with videos that were really encoded and encrypted
 *   await bundledWorkflows()          // the option `workflowBundle` of a Temporal worker
 *   await bundledWeb()              // a file with the app of the dashboard: see test/fixtures/web.ts
 *   await bundledPlayerAssets()     // a file with the player's scripts: see test/fixtures/player-assets.ts
 *   await temporalAddress()           // 'host:port' of the real server, namespace `default`, search
 *                                     // attributes registered; use a unique task queue name
 *   await s3Server()                  // a StorageConfig with a new, empty bucket
 *   await timeSkippingServerPath()    // TestWorkflowEnvironment.createTimeSkipping({ server: {
 *                                     //   executable: { type: 'existing-path', path } } })
 *   await headlessChromiumPath()      // chromium.launch({ executablePath, args: ['--no-sandbox'] })
 */
import {
  ensureChromium,
  ensureHeadlessChromium,
  ensureTimeSkippingServer,
  testServicesUrl,
} from '../../scripts/bootstrap/tools.mjs'
import type { PreparedVideos } from './prepared-videos.ts'

/** A database for one test file. */
export interface TestDatabase {
  url: string
  /**
   * Closes every connection to the database and removes it. Throws if an event that was ever committed
   * in it does not match the catalog of event types, or if a column that the registry of sealed values
   * does not list holds one.
   */
  drop(): Promise<void>
}

/** Creates a database with the newest schema and no rows, by copying a template: about 100 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url } = await askServices<{ url: string }>('/databases')
  return { url, drop: () => askServices('/databases/drop', { url }) }
}

/**
 * Creates a database with an account and its videos, which are encoded once per test run: the first call
 * waits for that. Files must not change or remove their objects, because all of them share these.
 */
export async function copyPreparedVideos(): Promise<PreparedVideos & { drop(): Promise<void> }> {
  const videos = await askServices<PreparedVideos>('/prepared-videos')
  const drop = (): Promise<void> => askServices('/databases/drop', { url: videos.url })
  return Object.assign(videos, { drop })
}

/** Address (host:port) of the real Temporal server; its namespace is `default`. */
export async function temporalAddress(): Promise<string> {
  return (await askServices<{ address: string }>('/temporal')).address
}

/** The workflows, bundled once per test run, as `workflowBundle` of a Temporal worker. */
export const bundledWorkflows = (): Promise<{ codePath: string }> => askServices('/workflow-bundle')

/** Path of a file with the app of the dashboard, bundled and compressed once per test run. */
export const bundledWeb = async (): Promise<string> =>
  (await askServices<{ path: string }>('/web-bundle')).path

/** Path of a file with the scripts and styles of the player, bundled and compressed once per test run. */
export const bundledPlayerAssets = async (): Promise<string> =>
  (await askServices<{ path: string }>('/player-assets')).path

/**
 * Makes the three above, which the processes of services then find in PREBUILT_DIR: each start would otherwise bundle
 * them, for five seconds of processor time. Does nothing outside a test run.
 */
export async function bundleForServices(): Promise<void> {
  if (testServicesUrl())
    await Promise.all([bundledWorkflows(), bundledWeb(), bundledPlayerAssets()])
}

/** The address of a bucket and its credentials, as options of `createStorage`. */
export interface TestBucket {
  driver: 's3'
  endpoint: string
  region: string
  bucket: string
  accessKey: string
  secretKey: string
  pathStyle: true
}

/** Creates a bucket on a real S3 server (versitygw). */
export async function s3Server(): Promise<TestBucket> {
  return askServices<TestBucket>('/buckets')
}

/** Path of the program that starts Temporal's time-skipping test server. */
export const timeSkippingServerPath = (): Promise<string> => ensureTimeSkippingServer()

/** Path of the Chromium that people use, with windows. Each context costs it over a second of processor time. */
export const chromiumPath = (): Promise<string> => ensureChromium()

/** Path of the Chromium that browser tests drive: its headless shell, or any Chromium where that is missing. */
export const headlessChromiumPath = (): Promise<string> => ensureHeadlessChromium()

/** Sends a request to the services of this test run; throws an Error with their message when it fails. */
async function askServices<T>(path: string, body: object = {}): Promise<T> {
  const base = testServicesUrl()
  if (!base) throw new Error('the test services run only inside a test run (see vitest.config.ts)')
  const response = await fetch(base + path, { method: 'POST', body: JSON.stringify(body) })
  const reply = (await response.json()) as T & { error?: string }
  if (!response.ok) throw new Error(`test services: ${reply.error}`)
  return reply
}
