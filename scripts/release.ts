// npm run release -- --dry-run [--version X.Y.Z]: makes a release in .cache/release and tries it out.
// npm run release -- --version X.Y.Z: sets the version in the files of this folder, for the commit of the release.
import './log-to-stderr.ts'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { VERSION } from '../processes/version.ts'
import { projectDir } from './bootstrap/tools.mjs'
import {
  packCompose,
  packKubernetes,
  writeBom,
  writeNotes,
  type Release,
} from './release/artifacts.ts'
import { ARCHITECTURES, listBinaries } from './release/binaries.ts'
import { unreleasedOf } from './release/changelog.ts'
import { buildImage, startImage } from './release/image.ts'
import { checkSdk, packSdk } from './release/sdk-package.ts'
import { startSource } from './release/service.ts'
import { copySource } from './release/source-copy.ts'
import { Steps } from './release/steps.ts'
import { chooseVersion, setVersion } from './release/versions.ts'

const tell = (line: string): void => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const options = { 'dry-run': { type: 'boolean' }, version: { type: 'string' } } as const
  const { 'dry-run': isDryRun = false, version: asked } = parseArgs({ options }).values
  if (!isDryRun && asked === undefined) throw new Error('--dry-run or --version X.Y.Z is needed')
  const changelog = await readFile(join(projectDir, 'CHANGELOG.md'), 'utf8')
  const hasUnreleased = unreleasedOf(changelog) !== ''
  const version = chooseVersion({ current: VERSION, asked, hasUnreleased })
  const today = new Date().toISOString().slice(0, 10)
  if (isDryRun) return dryRun(version, today)
  if (version === VERSION) throw new Error(`${version} is the version of this folder already`)
  await setVersion(projectDir, version, today)
  tell(`The files of this folder are of ${version}. Next: CONTRIBUTING.md, "Making a release".`)
}

/** Makes the release from a copy of this folder, and checks each of its parts. Nothing is published. */
async function dryRun(version: string, today: string): Promise<void> {
  const folder = join(projectDir, '.cache/release', version)
  const release: Release = { version, folder, source: join(folder, 'source') }
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const steps = new Steps(tell)
  await steps.run('the source', async () => {
    await copySource(projectDir, release.source)
    if (version !== VERSION) await setVersion(release.source, version, today)
    return version === VERSION ? `of ${version}` : `${VERSION} becomes ${version}`
  })
  await steps.run('the section of the changelog', () => writeNotes(release))
  await steps.run('the bill of materials', () => writeBom(release))
  await steps.run('the files for Docker Compose', () => packCompose(release))
  await steps.run('the manifests of Kubernetes', () => packKubernetes(release))
  await steps.run('the package of the SDK', () => packSdk(release))
  for (const { name, architectures } of await listBinaries(release.source))
    tell(`  binaries: ${name} for ${architectures.join(' and ')}`)
  for (const architecture of ARCHITECTURES)
    await steps.run(`the image for ${architecture}`, () => buildImage(release, architecture))
  await tryOut(release, steps)
  await rm(release.source, { recursive: true })
  tell(await summary(release, steps.skipped))
}

/** Starts the source of the release, and with it the package and the image. */
async function tryOut(release: Release, steps: Steps): Promise<void> {
  const dataDir = join(release.folder, 'data')
  let service: Awaited<ReturnType<typeof startSource>> | undefined
  try {
    await steps.run('a start of the source', async () => {
      service = await startSource(release.source, dataDir)
      return 'API, player, dashboard and worker are ready'
    })
    const running = service
    if (!running) return
    await steps.run('a use of the SDK', () => checkSdk(release, running))
    await steps.run('a start of the image', () => startImage(release, running))
  } finally {
    await service?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Writes the checksums of the files. Returns a text for the end of the run. */
async function summary({ version, folder }: Release, skipped: readonly string[]): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  const sums = await Promise.all(
    names.toSorted().map(async (name) => {
      const digest = createHash('sha256').update(await readFile(join(folder, name)))
      return `${digest.digest('hex')}  ${name}\n`
    }),
  )
  await writeFile(join(folder, 'SHA256SUMS'), sums.join(''))
  const end = skipped.length === 0 ? ['nothing was skipped'] : skipped
  return [`${version} is in ${folder}:`, ...names.map((name) => `  ${name}`), ...end].join('\n')
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
