// The process behind `services.ts`: an HTTP server on the loopback interface that starts PostgreSQL,
// Temporal and the S3 server at the first request for each, and stops them when stdin ends. Results that
// take seconds and are the same for every test file are made once for the whole run.
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { bundleFolder } from '../../scripts/embedded/bundle-folder.ts'
import { startGuard } from '../../scripts/embedded/guard.ts'
import { onShutdownRequest } from '../../scripts/lifetime.ts'
import { lazily } from './lazily.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import type { PreparedVideos } from './prepared-videos.ts'

const memory = await makeMemoryFolder()
const dataDir = memory.path
/** What the first test bundles, the processes of all later tests find here (PREBUILT_DIR), and those of later runs. */
const prebuiltDir = (await bundleFolder()) ?? join(dataDir, 'prebuilt')
mkdirSync(prebuiltDir, { recursive: true })
const guard = startGuard()
// Loaded at the first use, so that a run of pure tests does not wait for them.
const databases = lazily(async () =>
  (await import('./databases.ts')).createDatabases(dataDir, guard),
)
const temporal = lazily(async () => (await import('./temporal.ts')).createTemporal(dataDir, guard))
const s3 = lazily(async () => (await import('./s3.ts')).createS3(dataDir, guard))

let workflowBundle: Promise<string> | null = null
const bundleWorkflows = async (): Promise<string> =>
  (await import('./workflow-bundle.ts')).createWorkflowBundle(prebuiltDir)

let webBundle: Promise<string> | null = null
const bundleWeb = async (): Promise<string> =>
  (await import('./web-bundle.ts')).createWebBundle(prebuiltDir)

let playerAssets: Promise<string> | null = null
const bundlePlayerAssets = async (): Promise<string> =>
  (await import('./player-assets.ts')).createPlayerAssets(prebuiltDir)

let videos: Promise<PreparedVideos> | null = null
async function prepareVideos(): Promise<PreparedVideos> {
  const { url } = await (await databases.get()).create()
  return (await import('./prepared-videos.ts')).prepareVideos(dataDir, url)
}

/** The prepared videos with a copy of their database. Their stored objects are not copied. */
async function copyVideos(): Promise<PreparedVideos> {
  const prepared = await (videos ??= prepareVideos())
  const { url } = await (await databases.get()).create(prepared.url)
  return Object.assign({}, prepared, { url })
}

const routes: Record<string, (body: { url: string }) => Promise<object>> = {
  '/databases': async () => (await databases.get()).create(),
  '/databases/drop': async ({ url }) => (await databases.get()).drop(url),
  '/prepared-videos': copyVideos,
  '/temporal': async () => (await temporal.get()).address(),
  '/workflow-bundle': async () => ({ codePath: await (workflowBundle ??= bundleWorkflows()) }),
  '/web-bundle': async () => ({ path: await (webBundle ??= bundleWeb()) }),
  '/player-assets': async () => ({ path: await (playerAssets ??= bundlePlayerAssets()) }),
  '/buckets': async () => (await s3.get()).createBucket(),
}

const server = createServer((request, response) => {
  const route = routes[request.url ?? '']
  const result = route
    ? json(request).then((body) => route(body as { url: string }))
    : Promise.reject(new Error(`no route ${request.url}`))
  result.then(
    (body) => response.end(JSON.stringify(body)),
    (error: Error) => response.writeHead(500).end(JSON.stringify({ error: error.stack })),
  )
})

async function stop(): Promise<void> {
  server.close()
  server.closeAllConnections()
  await Promise.allSettled([databases.stop(), temporal.stop(), s3.stop()])
  await memory.release()
  process.exit(0)
}

// A client may send its next request on a connection that this end is about to close as idle.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, prebuiltDir })}\n`)
})
process.stdin.resume().once('close', () => void stop())
onShutdownRequest(() => void stop())
