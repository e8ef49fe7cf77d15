import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  LINE_MAX_LENGTH,
  type FieldFault,
  type ManifestLine,
} from '../../../domain/moving/manifest.ts'
import { parseManifestLine } from '../../../domain/moving/parse-line.ts'
import { readSystemError } from '../../../processes/system-error.ts'
import { CliError } from '../../errors.ts'
import type { LibraryBucket } from './bucket.ts'
import { readFolder } from './read-folder.ts'

/** A line of a manifest, or a video of a folder. */
export interface ReadLine {
  /** From 1; empty lines count. */
  number: number
  parsed: ManifestLine | FieldFault[]
  /** Of an object that was listed; absent if only a look at its source says it. */
  sizeBytes?: number
}

/** What is imported: a manifest, or a plain folder, of the disk or of a bucket. */
export interface Library {
  /** The folder of the files, absolute. */
  base: string
  /** Where the objects are that lines name; null if none may. */
  bucket: LibraryBucket | null
  /** Files that belong to videos and are not imported. */
  leftOut: number
  /** Where the journal is unless the caller says otherwise. */
  journalPath: string
  /** Reads the lines, from the first one each time. */
  lines: () => AsyncGenerator<ReadLine>
}

/** Opens a manifest, whose lines may name objects of `bucket`, or a folder. Throws a CliError if there is none. */
export async function openLibrary(given: string, bucket: LibraryBucket | null): Promise<Library> {
  const path = resolve(given)
  const facts = await stat(path).catch((error: unknown) => {
    throw new CliError(`${given} cannot be read: ${readSystemError(error).code || String(error)}`)
  })
  const rest = { bucket, leftOut: 0 }
  if (!facts.isDirectory())
    return {
      ...rest,
      base: dirname(path),
      journalPath: `${path}.journal`,
      lines: () => manifestLines(path),
    }
  // Its name begins with a dot, so that it is no video of the folder.
  const journalPath = join(path, '.import.journal')
  return { ...rest, base: path, journalPath, lines: () => folderLines(path) }
}

async function* manifestLines(path: string): AsyncGenerator<ReadLine> {
  let number = 0
  for await (const bytes of splitLines(path)) {
    number += 1
    const text = decoded(bytes)
    if (text === null) yield { number, parsed: [{ field: '', message: 'must be UTF-8' }] }
    else if (text.trim() !== '') yield { number, parsed: parseManifestLine(text) }
  }
}

const NEWLINE = 0x0a
/** A character of a text that fits has at most four bytes. */
const LINE_MAX_BYTES = 4 * LINE_MAX_LENGTH

/** The lines of a file as bytes. Throws a CliError for a line that is too long to be kept. */
async function* splitLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE, at)) {
      yield rest.subarray(at, end)
      at = end + 1
    }
    rest = rest.subarray(at)
    if (rest.length > LINE_MAX_BYTES)
      throw new CliError(`${path} has a line of more than ${LINE_MAX_BYTES} bytes.`, {
        code: 'manifest_invalid',
      })
  }
  if (rest.length > 0) yield rest
}

function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

async function* folderLines(base: string): AsyncGenerator<ReadLine> {
  let number = 0
  for (const { chaptersPath, ...line } of await readFolder(base)) {
    number += 1
    const chapters = chaptersPath && (await readChapters(join(base, chaptersPath)))
    yield { number, parsed: parseManifestLine(JSON.stringify({ ...line, chapters })) }
  }
}

/** The JSON of a file of chapters; text, which is no list of chapters, if it is no JSON. */
async function readChapters(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
