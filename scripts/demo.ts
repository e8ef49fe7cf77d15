// npm run demo [-- --exit] [-- FILE]: starts the service on embedded defaults and follows one video
// from its link to its embed page.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { formatBytes } from '../domain/format-bytes.ts'
import { openClient } from '../temporal/connect.ts'
import { inheritedEnvironment } from './bootstrap/tools.mjs'
import { prepareDataFolder } from './data-folder.ts'
import { startIntegrator, type Integrator } from './demo/integrator.ts'
import { checkEmbed, createVideo, embedPage, followVideo, registerWebhook } from './demo/journey.ts'
import { createScreen, type Screen } from './demo/screen.ts'
import { findSource, type DemoSource } from './demo/source.ts'
import { onShutdownRequest } from './lifetime.ts'
import { startService, type ServiceAddresses } from './service-process.ts'

const WEBHOOKS_TIMEOUT_MS = 60_000
/** The exit status if Ctrl-C ends the demo before `ready`, as in shells. */
const INTERRUPTED = 130

interface Options {
  exit: boolean
  dataDir: string
  file: string | undefined
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      exit: { type: 'boolean', default: false },
      'data-dir': { type: 'string', default: '.reelgate' },
    },
  })
  return { exit: values.exit, dataDir: resolve(values['data-dir']), file: positionals[0] }
}

/** Runs the cleanups, the latest first, and ends this process. The first call decides its status. */
type End = (status: number) => Promise<void>

async function main(): Promise<void> {
  const options = readOptions()
  const screen = createScreen()
  const cleanups: (() => Promise<void>)[] = []
  let status = INTERRUPTED
  let ending: Promise<void> | null = null
  const stop = async (finalStatus: number): Promise<void> => {
    screen.endBars()
    for (const cleanup of cleanups.toReversed()) await cleanup()
    process.exit(finalStatus)
  }
  const end: End = (finalStatus) => (ending ??= stop(finalStatus))
  onShutdownRequest(() => void end(status))
  try {
    await run(options, screen, cleanups)
    if (options.exit) return await end(0)
    status = 0
    screen.print('\nThe service keeps running. Press Ctrl-C to stop it.')
  } catch (error) {
    // An interruption also throws, but needs no message.
    if (ending === null) explain(error, options.dataDir)
    await end(1)
  }
}

function explain(error: unknown, dataDir: string): void {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`)
  const logs = join(dataDir, 'logs')
  if (existsSync(logs)) console.error(`The logs are in ${logs}`)
}

async function run(
  options: Options,
  screen: Screen,
  cleanups: (() => Promise<void>)[],
): Promise<void> {
  const { dataDir } = options
  prepareDataFolder(dataDir, { needsDatabase: false })
  const source = await findSource(options.file)
  const events: string[] = []
  const port = Number(inheritedEnvironment().DEMO_PORT ?? 8443)
  const integrator = await startIntegrator({
    port,
    source: source.path,
    dataDir,
    onEvent({ type, isGenuine }) {
      screen.fact('webhook', `${type}, signature ${isGenuine ? 'verified' : 'NOT VALID'}`)
      if (isGenuine) events.push(type)
    },
  })
  cleanups.push(() => integrator.close())
  const service = startService(dataDir, {
    EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    EGRESS_CA_FILE: integrator.caFile,
  })
  cleanups.push(() => service.stop())
  await journey({ service: await service.ready, source, integrator, events, screen })
}

interface Journey {
  service: ServiceAddresses
  source: DemoSource
  integrator: Integrator
  /** The types of the events that arrived with a valid signature. */
  events: string[]
  screen: Screen
}

async function journey({ service, source, integrator, events, screen }: Journey): Promise<void> {
  const client = openClient({ address: service.temporal, namespace: 'default' })
  try {
    await registerWebhook(service, integrator)
    screen.print('\nA video, from its link to the player:\n')
    const video = await createVideo(service, integrator.sourceUrl, source.title)
    screen.fact('request', `POST /v1/videos, responded with 202: video ${video.id}`)
    if (source.attribution) screen.fact('source', source.attribution)
    const done = await followVideo(service, client, video.id, screen)
    await awaitEvents(events)
    screen.endBars()
    screen.fact('stored', `${done.duration} s of video, ${formatBytes(done.size_bytes)}`)
    const page = await embedPage(service, video.id, source.attribution)
    integrator.setPage(page.html)
    await checkEmbed(service, integrator, page.embedUrl)
    screen.fact('player', 'loads in the page of another site; its segments are encrypted')
    screen.print('\nSee it in a browser:\n')
    screen.fact('watch it', integrator.pageUrl)
    screen.fact('embed link', page.embedUrl)
    screen.fact(
      'its workflow',
      `${service.temporal_ui}/namespaces/default/workflows/video-${video.id}`,
    )
    screen.fact('dashboard', service.owner_link ?? service.dashboard)
    screen.fact('the API', `${service.api}/docs`)
  } finally {
    await client.connection.close()
  }
}

async function awaitEvents(events: string[]): Promise<void> {
  const until = Date.now() + WEBHOOKS_TIMEOUT_MS
  const wanted = ['video.created', 'video.ready']
  while (!wanted.every((type) => events.includes(type))) {
    if (Date.now() > until)
      throw new Error(`expected the webhooks ${wanted.join(', ')}, received: ${events.join(', ')}`)
    await new Promise((done) => setTimeout(done, 100))
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
