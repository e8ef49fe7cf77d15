import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { projectDir } from '../../scripts/bootstrap/tools.mjs'
import type { Engine } from './engine.ts'
import { ensureProgram } from './programs.ts'

/** Caddy makes the certificates of names under .internal itself. */
export const DOMAINS = {
  api: 'api.reelgate.internal',
  embed: 'embed.reelgate.internal',
  dashboard: 'dashboard.reelgate.internal',
}

/** Where containers reach this machine. */
export const GATEWAY = '10.203.0.1'
export const SITE_PORT = 8443
export const SITE_URL = `https://${GATEWAY}:${SITE_PORT}`
const APP_NETWORK = { subnet: '10.203.0.0/24', gateway: GATEWAY }

const SETTINGS = {
  API_DOMAIN: DOMAINS.api,
  EMBED_DOMAIN: DOMAINS.embed,
  DASHBOARD_DOMAIN: DOMAINS.dashboard,
  WORKERS: '2',
  API_REQUESTS_PER_MINUTE: '100000',
  EGRESS_ALLOWED_NETWORKS: '10.203.0.0/24',
  EGRESS_CA_FILE: '/etc/reelgate/drm/site-ca.pem',
  DRM_SPEKE_URL: `${SITE_URL}/speke`,
  DRM_LICENCE_PROVIDER: 'generic',
}

/** Nothing asks for a licence: the video of the journey has ClearKey. */
const LICENCES = {
  DRM_WIDEVINE_URL: `${SITE_URL}/licence`,
  DRM_GENERIC_JWT_SECRET: 'a secret that signs no token here',
  DRM_GENERIC_CLAIMS: '{"video":"{video_id}"}',
}

/** What differs from production: names and addresses that exist on this machine only, and a small disk of the workers. */
const OVERRIDE = {
  services: { caddy: { networks: { edge: { aliases: Object.values(DOMAINS) } } } },
  networks: { app: { ipam: { config: [APP_NETWORK] } } },
  volumes: {
    work: { driver_opts: { type: 'tmpfs', device: 'tmpfs', o: 'size=1g,uid=1000,mode=0755' } },
  },
}

/** The production files in a folder of their own, filled in as docs/operating/install.md says. */
export interface Installation {
  folder: string
  compose: (...args: string[]) => Promise<string>
  /** Runs lines of a shell in the folder, as an operator would who types `input`. Returns what they print. */
  shell: (script: string, input?: string) => Promise<string>
  /** Runs the command line in the container of the API, as an operator would. */
  reelgate: (...args: string[]) => Promise<string>
}

/** Makes the installation with further services. `siteCaFile` is the authority of the integrator's site. */
export async function makeInstallation(
  engine: Engine,
  folder: string,
  siteCaFile: string,
  services: Record<string, unknown> = {},
): Promise<Installation> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'drm-files'), { recursive: true })
  cpSync(siteCaFile, join(folder, 'drm-files/site-ca.pem'))
  for (const file of ['docker-compose.yml', 'deploy'])
    cpSync(join(projectDir, file), join(folder, file), { recursive: true })
  writeFileSync(join(folder, '.env'), linesOf(SETTINGS))
  writeFileSync(join(folder, '.env.licences'), linesOf(LICENCES))
  const override = { ...OVERRIDE, services: { ...OVERRIDE.services, ...services } }
  writeFileSync(join(folder, 'docker-compose.override.yml'), JSON.stringify(override))
  await execa(join(folder, 'deploy/make-secrets.sh'))
  const program = await ensureProgram.compose()
  const plugins = join(folder, '.docker/cli-plugins')
  mkdirSync(plugins, { recursive: true })
  symlinkSync(program, join(plugins, 'docker-compose'))
  const shell = async (script: string, input = '') => {
    const env = { ...engine.env, DOCKER_CONFIG: join(folder, '.docker'), EDITOR: 'true' }
    const options = { cwd: folder, env, input } as const
    return (await execa('bash', ['-euo', 'pipefail', '-c', script], options)).stdout
  }
  const compose = async (...args: string[]) => {
    const { stdout } = await execa(program, args, { cwd: folder, env: engine.env })
    return stdout
  }
  return {
    folder,
    compose,
    shell,
    reelgate: (...args) => compose('exec', '-T', 'api', 'reelgate', ...args),
  }
}

const linesOf = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

const UP = ['up', '--detach', '--no-build', '--pull', 'never']

/** Starts every service and waits until all are healthy. Throws with the end of their logs. */
export async function bringUp({ compose }: Installation): Promise<void> {
  try {
    await compose(...UP, '--wait', '--wait-timeout', '300')
  } catch (error) {
    const logs = await compose('logs', '--no-color', '--tail', '15')
    const states = await compose('ps', '--all')
    throw new Error(`the services did not start:\n${states}\n${logs}`, { cause: error })
  }
}

/** Removes all containers, networks and volumes. */
export const takeDown = async ({ compose }: Installation): Promise<void> =>
  void (await compose('down', '--volumes', '--remove-orphans', '--timeout', '40'))

/** Returns the certificate of Caddy's own authority. */
export const readCaddyAuthority = ({ compose }: Installation): Promise<string> =>
  compose('exec', '-T', 'caddy', 'cat', '/data/caddy/pki/authorities/local/root.crt')
