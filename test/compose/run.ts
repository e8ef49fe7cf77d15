// npm run verify:compose: docker-compose.yml, Dockerfile and Caddyfile for real, on an engine of its own. Needs root.
//   npm run verify:compose -- --runbook          makes every situation of docs/runbook.md too, and follows it
//   npm run verify:compose -- --runbook 'TITLE'  the same for one situation
//   npm run verify:compose -- --remove           removes the images and volumes of earlier runs too
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { VERSION } from '../../processes/version.ts'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'
import { IMAGE } from '../../scripts/release/versions.ts'
import { checkUsers } from './check-users.ts'
import { startEngine, type Engine } from './engine.ts'
import { makeStandIns } from './images.ts'
import {
  bringUp,
  makeInstallation,
  readCaddyAuthority,
  takeDown,
  type Installation,
} from './installation.ts'
import { awaitWebhooks, checkHidden, ingest, makeAccount } from './journey.ts'
import { playEmbed } from './play-embed.ts'
import { DRILL_SERVICES, writeMonitoring } from './runbook/alerts.ts'
import { runRunbook } from './runbook/run-runbook.ts'
import { openSite, type Site } from './site.ts'

const FOLDER = join(projectDir, '.cache', 'compose')
/** As docker-compose.yml names it. */
const OUR_IMAGE = `${IMAGE}:${VERSION}`

const options = () => {
  const flags = { runbook: { type: 'boolean' }, remove: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ options: flags, allowPositionals: true })
  return { ...values, titles: positionals }
}

async function main(): Promise<void> {
  if (options().remove) return rmSync(FOLDER, { recursive: true, force: true })
  if (process.getuid?.() !== 0) throw new Error('it starts a Docker engine, so it must run as root')
  mkdirSync(FOLDER, { recursive: true })
  const engine = await step('start the engine', () => startEngine(join(FOLDER, 'engine')))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void engine.stop().finally(() => process.exit(1)))
  try {
    await step('make stand-ins of the published images', () => makeStandIns(engine, FOLDER))
    await step('build our image', () => buildOurs(engine))
    const site = await step('open the site', () => openSite(FOLDER))
    try {
      await verify(engine, site)
    } finally {
      await site.close()
    }
  } finally {
    await step('stop the engine', () => engine.stop())
  }
}

async function verify(engine: Engine, site: Site): Promise<void> {
  const folder = join(FOLDER, 'installation')
  const { runbook: withRunbook, titles } = options()
  const services = withRunbook ? DRILL_SERVICES : {}
  const installation = await makeInstallation(engine, folder, site.caFile, services)
  if (withRunbook) writeMonitoring(installation)
  // What a run has left that was killed.
  await takeDown(installation)
  try {
    await step('start all services, two workers', () => bringUp(installation))
    const apiKey = await step('create the first account', () => makeAccount(installation))
    const hosts = { apiKey, caddyAuthority: await readCaddyAuthority(installation) }
    await step('ask for what is not public', () => checkHidden(hosts))
    const embedUrl = await step('ingest a video', () => ingest(hosts, site))
    await step('verify both webhooks', () => awaitWebhooks(site))
    await step('play the embed in Chromium', () => playEmbed(embedUrl, site))
    await step('ask the doctor', () => askDoctor(installation, hosts.caddyAuthority))
    await step('look at the users of the database', () => checkUsers(installation))
    if (withRunbook) await runRunbook(installation, hosts, site, { titles, step })
  } finally {
    await step('remove all services', () => takeDown(installation))
  }
}

async function buildOurs({ docker, env }: Engine): Promise<void> {
  const args = ['build', '--network=host', '--tag', OUR_IMAGE, projectDir]
  await execa('docker', args, { env })
  const bytes = Number(await docker('image', 'inspect', '--format', '{{.Size}}', OUR_IMAGE))
  process.stdout.write(`  image: ${(bytes / 1e6).toFixed(0)} MB\n`)
}

/** Runs the doctor in the container of the API. Throws with its report if a check fails. */
async function askDoctor({ compose }: Installation, authority: string): Promise<void> {
  const script =
    'echo "$AUTHORITY" > /tmp/caddy.pem && NODE_EXTRA_CA_CERTS=/tmp/caddy.pem reelgate doctor'
  const inApi = ['exec', '-T', '-e', `AUTHORITY=${authority}`, 'api', 'sh', '-c', script]
  const report = await compose(...inApi)
  process.stdout.write(report.replace(/^/gm, '  ').trimEnd() + '\n')
}

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now()
  process.stdout.write(`${title} …\n`)
  const result = await work()
  const seconds = Math.round((performance.now() - startedAtMs) / 1000)
  process.stdout.write(`✓ ${title} (${seconds} s)\n`)
  return result
}

main().catch((error: unknown) => {
  process.stderr.write(`✗ ${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
