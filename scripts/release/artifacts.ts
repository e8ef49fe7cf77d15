import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { execa } from 'execa'
import { z } from 'zod'
import { parseJson } from '../../domain/parse-json.ts'
import { sectionOf } from './changelog.ts'
import { SkippedError } from './steps.ts'
import { versionsIn } from './versions.ts'

/** A version that is made. */
export interface Release {
  version: string
  /** Its source, with the version in all its places. */
  source: string
  /** Where its files are written. */
  folder: string
}

/** Writes the section of the changelog, which is the text of the release. */
export async function writeNotes({ version, source, folder }: Release): Promise<string> {
  const notes = sectionOf(await readFile(join(source, 'CHANGELOG.md'), 'utf8'), version)
  await writeFile(join(folder, `reelgate-${version}-notes.md`), `${notes}\n`)
  const others = (await versionsIn(source)).filter((place) => !place.endsWith(` ${version}`))
  if (others.length > 0) throw new Error(`of another version: ${others.join(', ')}`)
  return `${notes.split('\n').filter((line) => line.startsWith('- ')).length} changes`
}

const bomSchema = z.looseObject({
  metadata: z.object({ component: z.object({ name: z.string(), version: z.string() }) }),
  components: z.array(z.unknown()),
})

/** Writes the software bill of materials, and checks it against the schema of CycloneDX. */
export async function writeBom({ version, source, folder }: Release): Promise<string> {
  const { stdout } = await execa(process.execPath, ['scripts/documents/write-sbom.ts'], {
    cwd: source,
  })
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5)
  const faults = await validator.validate(stdout)
  if (faults !== null) throw new Error(`it is no CycloneDX 1.5: ${JSON.stringify(faults)}`)
  const { metadata, components } = bomSchema.parse(parseJson(stdout))
  const { component } = metadata
  if (component.name !== 'reelgate' || component.version !== version)
    throw new Error(`it describes ${component.name} ${component.version}`)
  await writeFile(join(folder, `reelgate-${version}.cdx.json`), stdout)
  return `valid CycloneDX 1.5, ${components.length} components`
}

const COMPOSE_FILES = ['docker-compose.yml', '.env.example', 'deploy', 'LICENSE', 'NOTICE']

/** Packs what Docker Compose needs, and lets Compose read it as it is unpacked. */
export async function packCompose({ version, source, folder }: Release): Promise<string> {
  const name = `reelgate-compose-${version}`
  await pack(source, join(folder, `${name}.tar.gz`), name, [
    '--exclude=deploy/kubernetes',
    ...COMPOSE_FILES,
  ])
  if (!(await canRun('docker', 'compose', 'version')))
    throw new SkippedError('packed, not read: this machine has no Docker Compose')
  const unpacked = await unpack(folder, name)
  await execa('cp', ['.env.example', '.env'], { cwd: unpacked })
  await execa('sh', ['deploy/make-secrets.sh'], { cwd: unpacked })
  const { stdout } = await execa('docker', ['compose', 'config', '--images'], { cwd: unpacked })
  const images = new Set(stdout.split('\n').filter((image) => image.startsWith('reelgate/')))
  if (![...images].every((image) => image.endsWith(`:${version}`)) || images.size !== 1)
    throw new Error(`it names ${[...images].join(', ')}`)
  await rm(dirname(unpacked), { recursive: true })
  return `Compose reads it, with ${[...images].join('')}`
}

/** Packs the manifests of Kubernetes, and checks them against the schemas of Kubernetes and KEDA. */
export async function packKubernetes({ version, source, folder }: Release): Promise<string> {
  const name = `reelgate-kubernetes-${version}`
  await pack(join(source, 'deploy/kubernetes'), join(folder, `${name}.tar.gz`), name, ['.'])
  if (!(await canRun('go', 'version')))
    throw new SkippedError('packed, not checked: this machine has no Go, which builds kubeconform')
  const { stdout } = await execa(process.execPath, ['test/kubernetes/run.ts'], { cwd: source })
  const summary = stdout.trim().split('\n').at(-1) ?? ''
  return (await canRun('kubectl', 'version', '--client'))
    ? `${summary}; ${await render(folder, name, version)}`
    : `${summary}; not rendered, because this machine has no kubectl`
}

/** Renders the packed manifests as kubectl applies them. Returns what was rendered. */
async function render(folder: string, name: string, version: string): Promise<string> {
  const unpacked = await unpack(folder, name)
  const { stdout } = await execa('kubectl', ['kustomize', unpacked])
  const images = [...stdout.matchAll(/^\s+(?:- )?image: (.*)$/gm)].map(([, image = '']) => image)
  const wrong = images.filter((image) => !image.endsWith(`:${version}`))
  if (images.length === 0 || wrong.length > 0)
    throw new Error(`images that are not of ${version}: ${wrong.join(', ')}`)
  await rm(dirname(unpacked), { recursive: true })
  return `kubectl renders ${images.length} containers of ${version}`
}

/** Packs files of `cwd` below a folder with the name of the archive. */
async function pack(cwd: string, archive: string, name: string, files: string[]): Promise<void> {
  const transform = `--transform=s,^\\(\\./\\)\\?,${name}/,S`
  const owner = ['--owner=0', '--group=0', '--sort=name']
  await execa('tar', ['-czf', archive, ...owner, transform, ...files], { cwd })
}

async function unpack(folder: string, name: string): Promise<string> {
  const into = join(folder, 'unpacked')
  await rm(into, { recursive: true, force: true })
  await mkdir(into)
  await execa('tar', ['-xzf', join(folder, `${name}.tar.gz`), '-C', into])
  return join(into, name)
}

/** Whether a program runs here. */
async function canRun(program: string, ...args: string[]): Promise<boolean> {
  const { failed } = await execa(program, args, { reject: false })
  return !failed
}
