import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { SetupError } from './report.mjs'

// Field offsets and signatures of the ZIP specification (APPNOTE.TXT, sections 4.3.7, 4.3.12, 4.3.16).
const END_OF_DIRECTORY = 0x06054b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_HEADER_BYTES = 30
const STORED = 0
const DEFLATED = 8

const inflate = promisify(inflateRaw)

/**
 * Unpacks the files of a ZIP archive for which `isWanted(path)` holds into the folder `into`, with
 * their permissions. Returns the paths. Throws a SetupError if the archive is cut off, packs a file
 * with an unknown method, or contains a path outside of `into`. It checks no CRC, and reads neither
 * ZIP64 nor encrypted archives: callers compare a SHA-256.
 */
export async function unpackZip(archive, into, isWanted = () => true) {
  const bytes = readFileSync(archive)
  const entries = readDirectory(bytes, archive).filter(({ path }) => isWanted(path))
  for (const entry of entries) {
    const content = await contentOf(bytes, entry, archive)
    const target = join(into, entry.path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content, { mode: entry.mode })
  }
  return entries.map(({ path }) => path)
}

function readDirectory(bytes, archive) {
  let end = bytes.length - END_BYTES
  while (end >= 0 && bytes.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1
  if (end < 0) throw new SetupError(`${archive} is not a complete ZIP archive`)
  const entries = []
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) =>
      bytes.readUInt16LE(at + offset),
    )
    const path = bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes)
    if (isAbsolute(path) || path.split(/[/\\]/).includes('..'))
      throw new SetupError(`${archive} contains the unsafe path ${path}`)
    // The upper half holds the Unix mode; it is 0 if the archive was not made on Unix.
    const mode = (bytes.readUInt32LE(at + 38) >>> 16) & 0o777 || 0o644
    const entry = {
      path,
      mode,
      method: bytes.readUInt16LE(at + 10),
      packedBytes: bytes.readUInt32LE(at + 20),
      sizeBytes: bytes.readUInt32LE(at + 24),
      headerAt: bytes.readUInt32LE(at + 42),
    }
    if (!path.endsWith('/')) entries.push(entry)
    at += ENTRY_BYTES + nameBytes + extraBytes + commentBytes
  }
  return entries
}

async function contentOf(bytes, { path, method, packedBytes, sizeBytes, headerAt }, archive) {
  const fieldsBytes = bytes.readUInt16LE(headerAt + 26) + bytes.readUInt16LE(headerAt + 28)
  const start = headerAt + LOCAL_HEADER_BYTES + fieldsBytes
  const packed = bytes.subarray(start, start + packedBytes)
  if (method !== STORED && method !== DEFLATED)
    throw new SetupError(`${archive} packs ${path} with the unknown method ${method}`)
  const content = method === STORED ? packed : await inflate(packed)
  if (content.length !== sizeBytes) throw new SetupError(`${archive} has a damaged ${path}`)
  return content
}
