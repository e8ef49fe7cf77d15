import { idOfFile, type ManifestLine } from '../../../domain/moving/manifest.ts'
import { ReelgateError } from '../../../sdk/src/index.ts'
import { digestFile } from '../../backup/hash.ts'
import { findInside, type LocalFile } from '../inside-folder.ts'
import { fillVideo } from './fill-video.ts'
import { holdVideo } from './hold-video.ts'
import { LineFailure, type ImportRun, type Outcome } from './run.ts'

/**
 * Makes the video of a line, unless there is one, with its captions and chapters. Each step that is done is in the journal before the next
 * one begins. Never rejects: a line that fails does not end the others.
 */
export async function importLine(
  run: ImportRun,
  number: number,
  line: ManifestLine,
): Promise<Outcome> {
  const outcome: Outcome = {
    state: 'failed',
    externalId: line.externalId,
    videoId: null,
    sha256: null,
    reason: null,
  }
  try {
    run.signal.throwIfAborted()
    const file = await findFile(run, line)
    const sha256 = await checksumOf(run, file)
    outcome.sha256 = sha256
    if (line.sha256 !== null && line.sha256 !== sha256)
      throw new LineFailure('checksum_differs', `The file has the SHA-256 ${sha256}.`)
    const externalId = line.externalId ?? idOfFile(sha256)
    outcome.externalId = externalId
    claim(run, externalId, number)
    const one = { number, line, file, sha256, externalId }
    const { videoId, isOurs } = await holdVideo(run, one)
    outcome.videoId = videoId
    await fillVideo(run, one, { videoId, isOurs })
    return { ...outcome, state: isOurs ? 'imported' : 'present' }
  } catch (error) {
    const state = run.signal.aborted ? 'interrupted' : 'failed'
    return { ...outcome, state, reason: reasonOf(error, run.signal) }
  }
}

async function findFile({ base }: ImportRun, { source }: ManifestLine): Promise<LocalFile> {
  if (source.kind !== 'path') throw new TypeError('the line has no file beside its manifest')
  const file = await findInside(base, source.path)
  if (typeof file !== 'string') return file
  throw new LineFailure('file_unreadable', `${source.path} ${file}.`)
}

async function checksumOf({ journal }: ImportRun, file: LocalFile): Promise<string> {
  const known = journal.hashOf(file.path, file)
  if (known !== null) return known
  const { sha256 } = await digestFile(file.path)
  await journal.noteHash(file.path, { ...file, sha256 })
  return sha256
}

/** Two lines without an external id may have the same bytes, or the same link. */
export function claim({ claims }: ImportRun, externalId: string, number: number): void {
  const first = claims.get(externalId)
  if (first !== undefined && first !== number)
    throw new LineFailure(
      'duplicate_content',
      `Line ${first} has the same file. If both are wanted, give each an external_id.`,
    )
  claims.set(externalId, number)
}

/** Describes why a line was not imported. */
export function reasonOf(error: unknown, signal: AbortSignal): { code: string; message: string } {
  if (signal.aborted)
    return { code: 'interrupted', message: 'Interrupted. The same command continues.' }
  if (error instanceof ReelgateError || error instanceof LineFailure)
    return { code: error.code, message: error.message }
  return {
    code: 'file_unreadable',
    message: error instanceof Error ? error.message : String(error),
  }
}
