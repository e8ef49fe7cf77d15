// npm run demo [-- --exit] [-- FILE]: everything on embedded defaults, one film, from link to embed.
import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { inheritedEnvironment } from './bootstrap/tools.mjs'
import { openClient } from '../temporal/connect.ts'
import { startIntegrator } from './demo/integrator.ts'
import type { Integrator } from './demo/integrator.ts'
import { followVideo, registerWebhook, submitFilm } from './demo/journey.ts'
import { ensureSampleFilm } from './demo/sample-film.ts'
import { startService } from './demo/service.ts'
import type { Service } from './demo/service.ts'
import { checkEmbed, embedPage } from './demo/viewer.ts'
import { onRequestToEnd } from './lifetime.ts'

const WEBHOOKS_TIMEOUT_MS = 60_000

interface Options {
  exit: boolean
  dataDir: string
  film: string | undefined
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
  return { exit: values.exit, dataDir: resolve(values['data-dir']), film: positionals[0] }
}

async function main(): Promise<void> {
  const options = readOptions()
  await mkdir(options.dataDir, { recursive: true })
  const film = await findFilm(options)
  const events: string[] = []
  const port = Number(inheritedEnvironment().DEMO_PORT ?? 8443)
  const integrator = await startIntegrator({
    ...{ port, film, dataDir: options.dataDir },
    onEvent({ type, isGenuine }) {
      console.log(`  webhook ${type}: signature ${isGenuine ? 'verified' : 'NOT VALID'}`)
      if (isGenuine) events.push(type)
    },
  })
  const service = await startService(options.dataDir, {
    EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    EGRESS_CA_FILE: integrator.caFile,
  })
  const end = async (): Promise<void> => {
    await service.stop()
    await integrator.close()
  }
  try {
    await journey(service, integrator, events)
    if (options.exit) return await end()
    console.log('\nEverything stays up. Ctrl-C stops it.')
    onRequestToEnd(() => void end())
  } catch (error) {
    console.error(`\nThe logs are in ${join(service.data_dir, 'logs')}`)
    await end()
    throw error
  }
}

async function findFilm({ film, dataDir }: Options): Promise<string> {
  if (film !== undefined) {
    const facts = await stat(film).catch(() => null)
    if (!facts?.isFile()) throw new Error(`there is no file ${film}`)
    return resolve(film)
  }
  const sample = join(dataDir, 'sample-film.mp4')
  console.log('Making a sample film …')
  await ensureSampleFilm(sample)
  return sample
}

async function journey(service: Service, integrator: Integrator, events: string[]): Promise<void> {
  const client = openClient({ address: service.temporal, namespace: 'default' })
  try {
    await registerWebhook(service, integrator)
    const video = await submitFilm(service, integrator.filmUrl)
    console.log(`POST /v1/videos: 202, video ${video.id} is ${video.status}`)
    const done = await followVideo(service, client, video.id)
    console.log(`ready: ${done.duration} s, ${done.size_bytes} bytes stored`)
    await awaitEvents(events)
    const page = await embedPage(service, video.id)
    integrator.setPage(page.html)
    await checkEmbed(service, integrator, page.embedUrl)
    console.log('the embed answers, and its segments are encrypted')
    console.log(`\n  watch      ${integrator.pageUrl}`)
    console.log(`  embed      ${page.embedUrl}`)
    console.log(
      `  workflow   ${service.temporal_ui}/namespaces/default/workflows/video-${video.id}`,
    )
    console.log(`  API        ${service.api}`)
  } finally {
    await client.connection.close()
  }
}

async function awaitEvents(events: string[]): Promise<void> {
  const until = Date.now() + WEBHOOKS_TIMEOUT_MS
  const wanted = ['video.created', 'video.ready']
  while (!wanted.every((type) => events.includes(type))) {
    if (Date.now() > until)
      throw new Error(`of ${wanted.join(', ')} only ${events.join(', ')} came`)
    await new Promise((done) => setTimeout(done, 100))
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
