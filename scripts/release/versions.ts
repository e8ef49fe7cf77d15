import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withRelease } from './changelog.ts'

/** The published image, without its tag. */
export const IMAGE = 'reelgate/reelgate'

const MANIFESTS = ['api', 'player', 'dashboard', 'workers', 'set-up']

/** Where a version stands: a file, and what is before each version in it. */
const PLACES: readonly [file: string, before: string][] = [
  ['package.json', '^  "version": "'],
  ['package-lock.json', '^  "version": "'],
  ['package-lock.json', '^      "name": "reelgate",\\n      "version": "'],
  ['sdk/package.json', '^  "version": "'],
  ['sdk/src/version.ts', "VERSION = '"],
  ['docker-compose.yml', `${IMAGE}:`],
  ...MANIFESTS.map((name): [string, string] => [`deploy/kubernetes/${name}.yaml`, `${IMAGE}:`]),
  ['deploy/kubernetes/set-up.yaml', 'name: set-up-'],
  ['deploy/kubernetes/kustomization.yaml', 'newTag: '],
  ['docs/kubernetes.md', 'job/set-up-'],
  ['docs/kubernetes.md', 'reelgate-kubernetes-'],
  ['docs/operating/install.md', 'reelgate-compose-'],
]

const VERSION = String.raw`\d+\.\d+\.\d+`

const pattern = (before: string): RegExp => new RegExp(`(${before})(${VERSION})`, 'gm')

/** Returns each place with its version, as `docker-compose.yml: 0.1.0`. Throws if a place has none. */
export async function versionsIn(folder: string): Promise<string[]> {
  const found = await Promise.all(
    PLACES.map(async ([file, before]) => {
      const text = await readFile(join(folder, file), 'utf8')
      const versions = [...text.matchAll(pattern(before))].map(([, , version]) => version)
      if (versions.length === 0) throw new Error(`${file} has no version after ${before}`)
      return versions.map((version) => `${file}: ${version}`)
    }),
  )
  return found.flat()
}

/** Sets the version in all its places, and makes its section of the changelog with the date. */
export async function setVersion(folder: string, version: string, date: string): Promise<void> {
  await edit(join(folder, 'CHANGELOG.md'), (text) => withRelease(text, version, date))
  for (const [file, before] of PLACES)
    await edit(join(folder, file), (text) => text.replaceAll(pattern(before), `$1${version}`))
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')))
}

interface Choice {
  /** The version of package.json. */
  current: string
  /** The version that was asked for, if any. */
  asked: string | undefined
  hasUnreleased: boolean
}

/**
 * Returns the version that is made: the one that was asked for; otherwise the next minor one, or the current one if
 * nothing has changed since. Throws if it is not greater than the current one, or if it is the current one and changes
 * are unreleased.
 */
export function chooseVersion({ current, asked, hasUnreleased }: Choice): string {
  if (asked === undefined) return hasUnreleased ? nextMinor(current) : current
  if (!new RegExp(`^${VERSION}$`).test(asked))
    throw new Error(`${asked} is no version such as 1.2.3`)
  if (asked === current && hasUnreleased)
    throw new Error(`${current} is released already: CHANGELOG.md has more under [Unreleased]`)
  if (asked !== current && !hasUnreleased)
    throw new Error(`package.json is of ${current}, and CHANGELOG.md has nothing for ${asked}`)
  if (compare(asked, current) < 0) throw new Error(`${asked} is older than ${current}`)
  return asked
}

const nextMinor = (version: string): string => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return `${major}.${minor + 1}.0`
}

function compare(one: string, other: string): number {
  const others = other.split('.').map(Number)
  const differences = one.split('.').map((part, index) => Number(part) - (others[index] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}
