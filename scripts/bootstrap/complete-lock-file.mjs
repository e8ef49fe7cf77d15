// Completes package-lock.json after an `npm install` that changed it: npm run lock.
//
// It adds the optional platform packages that npm omits if its registry lacks them. Without them, `npm ci` refuses the
// lock file on every machine. And it gives each package the address of its archive on a host that does not exist, which
// .npmrc lets npm replace by the registry of the machine. Without an address, npm fetches the description of all versions
// of each package first, 79 MB for all of them.
import { readFileSync, writeFileSync } from 'node:fs'
import { archiveOf } from './package-archive.mjs'

const SYSTEMS = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(' ')
const PROCESSORS = 'arm arm64 ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64'.split(' ')
const LIBRARIES = { gnu: 'glibc', musl: 'musl' }

const path = new URL('../../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(path, 'utf8'))
const added = []

for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const exact = /^\^?(\d+\.\d+\.\d+\S*)$/.exec(version)?.[1]
    if (!exact || isLocked(place, name)) continue
    lock.packages[`node_modules/${name}`] = describe(name, exact, entry.dev)
    added.push(`${name}@${exact}`)
  }
}

let located = 0
for (const [place, entry] of Object.entries(lock.packages)) {
  const address = archiveOf(place, entry)
  if (place === '' || entry.resolved === address) continue
  const { version, resolved: _, ...rest } = entry
  lock.packages[place] = { version, resolved: address, ...rest }
  located += 1
}

const root = lock.packages['']
const others = Object.entries(lock.packages).filter(([place]) => place !== '')
others.sort(([a], [b]) => a.localeCompare(b, 'en'))
lock.packages = { '': root, ...Object.fromEntries(others) }
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`${added.length} packages added, ${located} given an address\n`)

/** Whether `require(name)` from `place` finds an entry in its node_modules or in one above. */
function isLocked(place, name) {
  for (
    let folder = place;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const prefix = folder === '' ? '' : `${folder}/`
    if (lock.packages[`${prefix}node_modules/${name}`]) return true
    if (folder === '') return false
  }
}

/** Returns the entry. All of these packages have their platform in the name. */
function describe(name, version, dev) {
  const words = name.split('/').at(-1).split(/[-_.]/)
  const os = SYSTEMS.filter((system) => words.includes(system))
  const cpu = PROCESSORS.filter((processor) => words.includes(processor))
  const libc = Object.entries(LIBRARIES).filter(([word]) => words.some((w) => w.startsWith(word)))
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    ...(libc.length > 0 && { libc: libc.map(([, library]) => library) }),
    optional: true,
    ...(os.length > 0 && { os }),
  }
}
