import {
  CAPTION_MAX_BYTES,
  POSTER_UPLOAD_MAX_BYTES,
  SOURCE_MAX_BYTES,
} from '../../../domain/limits.ts'
import type { FieldFault, ManifestLine } from '../../../domain/moving/manifest.ts'
import { isFaulty } from '../../../domain/moving/parse-line.ts'
import { createRepetitions } from '../../../domain/moving/repetitions.ts'
import { CliError } from '../../errors.ts'
import { printable } from '../../output.ts'
import { findInside } from '../inside-folder.ts'
import type { Library } from './read-lines.ts'
import { isFetched, whyNotImported } from './source-kinds.ts'

/** What a library has, once every line is known to be right. */
export interface CheckedLibrary {
  lines: number
  /** Of the videos that are sent. */
  bytes: number
}

/** More are only counted. */
const SHOWN_FAULTS = 20

/**
 * Reads every line and looks at every file, before anything is sent, and reads a byte of the first object of a bucket. Throws a CliError with the faults, by the
 * number of the line and the field. `onVideo` is called with each line that is right, in order, and the size of its file; null if that is not known.
 */
export async function checkLines(
  library: Library,
  onVideo: (line: ManifestLine, sizeBytes: number | null) => Promise<void> | void = () => {},
): Promise<CheckedLibrary> {
  const repetitions = createRepetitions()
  const checked = { lines: 0, bytes: 0 }
  const shown: string[] = []
  let faultCount = 0
  let firstKey: string | null = null
  for await (const { number, parsed, sizeBytes } of library.lines()) {
    const sizes = { video: 0 }
    const faults = isFaulty(parsed)
      ? parsed
      : [...repetitions.add(parsed, number), ...(await fileFaults(library, parsed, sizes))]
    faultCount += faults.length
    for (const fault of faults.slice(0, SHOWN_FAULTS - shown.length))
      shown.push(describeFault(number, fault))
    checked.lines += 1
    checked.bytes += sizes.video
    if (isFaulty(parsed) || faults.length > 0) continue
    if (parsed.source.kind === 'key') firstKey ??= parsed.source.key
    await onVideo(parsed, isFetched(parsed) ? (sizeBytes ?? null) : sizes.video)
  }
  if (faultCount > shown.length) shown.push(`and ${faultCount - shown.length} more`)
  if (faultCount > 0)
    throw new CliError(`Nothing was sent, because of:\n${shown.join('\n')}`, {
      code: 'manifest_invalid',
    })
  if (checked.lines === 0)
    throw new CliError('The manifest has no line.', { code: 'manifest_invalid' })
  if (firstKey !== null) await library.bucket?.tryRead(firstKey)
  return checked
}

const describeFault = (number: number, { field, message }: FieldFault): string =>
  printable(`line ${number}: ${field === '' ? 'it' : field} ${message}`)

/** Returns what is wrong with the files of a line; notes the size of its video. */
async function fileFaults(
  { base, bucket }: Library,
  { source, captions, poster }: ManifestLine,
  sizes: { video: number },
): Promise<FieldFault[]> {
  const reason = whyNotImported(source, bucket?.place ?? null)
  if (reason !== null) return [{ field: source.kind, message: reason }]
  const files = [
    ...(source.kind === 'path'
      ? [{ field: 'path', path: source.path, maxBytes: SOURCE_MAX_BYTES }]
      : []),
    ...(captions ?? []).map(({ path }, index) => {
      return { field: `captions[${index}].path`, path, maxBytes: CAPTION_MAX_BYTES }
    }),
    ...(poster === null
      ? []
      : [{ field: 'poster', path: poster, maxBytes: POSTER_UPLOAD_MAX_BYTES }]),
  ]
  const faults: FieldFault[] = []
  for (const { field, path, maxBytes } of files) {
    const file = await findInside(base, path)
    if (typeof file === 'string') faults.push({ field, message: file })
    else if (file.sizeBytes > maxBytes)
      faults.push({
        field,
        message: `has ${file.sizeBytes} bytes, and at most ${maxBytes} are taken`,
      })
    else if (field === 'path') sizes.video = file.sizeBytes
  }
  return faults
}
