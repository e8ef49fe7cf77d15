import { claimSource, forgetValidator, releaseSource } from '../../commands/ingest/write-source.ts'
import { SourceWriteLostError, type SourceWrite } from '../../db/ingest/source-writes.ts'
import type { WriterOf } from '../../db/ingest/write-source-parts.ts'
import { sourcePrefix } from '../../domain/videos/media-paths.ts'
import {
  createSourceSealer,
  newSourceId,
  SOURCE_HEADER,
} from '../../security/sealing/encrypted-source.ts'
import { gatherParts } from '../../storage/object-storage.ts'
import type { ActivityDeps } from '../deps.ts'
import { recordSource, type SourceOf } from '../source/source-keys.ts'
import { removeLateObjects } from '../upkeep/remove-late-objects.ts'
import { openSourceParts, restartParts, resumeParts } from './source-parts.ts'

type Deps = Pick<ActivityDeps, 'db' | 'storage'>

/**
 * Writes the source of a video to storage, encrypted, while its bytes arrive (ADR 0032). Whole parts are recorded with
 * their row, so any process continues after a crash. After an error, release it and open it again.
 */
export interface SourceWriter {
  /** How many bytes of the file are recorded: where the first call of `append` continues. */
  offset(): number
  /** Appends bytes, and resolves to the recorded offset. */
  append(chunks: AsyncIterable<Buffer>): Promise<number>
  /** Makes the source visible, which then is whole, and records it. Resolves to its size and its id. */
  finish(): Promise<{ sizeBytes: number; sourceId: string }>
  /** Lets another process continue without a copy of what is recorded. Forgets bytes that are not recorded. */
  release(): Promise<void>
}

/** The file whose bytes arrive. */
export interface ArrivingFile {
  /** Says whether two requests have returned the same file; null if nothing does. */
  validator: string | null
  /** The process has no byte before this one. */
  firstByte: number
}

/**
 * Opens the source of a video, which has a key, for this process alone: an earlier writer throws a SourceWriteLostError
 * at its next part. Forgets what is stored of another file than the one that now arrives. Throws a SourceWriteLostError if
 * less than `firstByte` is stored, or another source since `of` was read; refuses with `video_gone` if the video was deleted or
 * has ended. Calls `onProgress` while it copies what is stored.
 */
export async function openSourceWriter(
  deps: Deps,
  of: SourceOf,
  { validator, firstByte }: ArrivingFile,
  onProgress?: () => void,
): Promise<SourceWriter> {
  const { by, row } = await claimSource(deps.db.em.fork(), of)
  const isSame = validator !== null && row.validator === validator
  const resumed = isSame ? await resumeParts(deps, by, row, onProgress) : null
  if ((resumed?.offsetBytes ?? 0) < firstByte)
    throw new SourceWriteLostError('the bytes before those that arrive are no longer stored')
  return startWriter(deps, of, by, resumed ?? (await restartParts(deps, by, row, validator)))
}

function startWriter(deps: Deps, of: SourceOf, by: WriterOf, row: SourceWrite): SourceWriter {
  const { videoId } = of
  const parts = openSourceParts(deps, by, row)
  const sourceId = row.sourceId ?? newSourceId()
  const sealer = createSourceSealer(of, row.offsetBytes, sourceId)
  let { offsetBytes } = row
  let isEnding = false
  let hasBegun = false
  const gathered = gatherParts(async (body, left) => {
    if (isEnding) return parts.put(body, null)
    const recorded = { offsetBytes: sealer.sealedBytes(), carry: Buffer.concat(left), sourceId }
    await parts.put(body, recorded)
    ;({ offsetBytes } = recorded)
  })
  const begun = async (): Promise<void> => {
    if (hasBegun) return
    hasBegun = true
    await gathered.add([row.offsetBytes === 0 ? SOURCE_HEADER : Buffer.from(row.carry)])
  }
  const orEnd = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      await gathered.end()
      throw error
    }
  }
  return {
    offset: () => offsetBytes,
    append: (chunks) =>
      orEnd(async () => {
        await begun()
        for await (const chunk of chunks)
          for (const piece of sealer.add(chunk)) await gathered.add(piece)
        await gathered.rest()
        return offsetBytes
      }),
    finish: () =>
      orEnd(async () => {
        await begun()
        const sizeBytes = sealer.sealedBytes() + sealer.heldBytes()
        if (sizeBytes > 0 && sealer.heldBytes() === 0) await forget(deps, by)
        isEnding = true
        await gathered.add(sealer.end())
        await parts.complete(await gathered.rest())
        await gathered.end()
        // A ready video whose account keeps originals has the source.
        const late = { videoId, prefix: sourcePrefix(videoId) }
        await removeLateObjects(deps, { ...late, isUsedBy: ({ keepOriginal }) => keepOriginal })
        await recordSource(deps, videoId, sourceId, by)
        return { sizeBytes, sourceId }
      }),
    async release() {
      await gathered.end()
      await releaseSource(deps.db.em.fork(), by)
    },
  }
}

/** A part is recorded when a further byte has arrived, so the file is another one, in spite of its validator. */
async function forget({ db }: Deps, by: WriterOf): Promise<never> {
  await forgetValidator(db.em.fork(), by)
  throw new SourceWriteLostError('the file is shorter than what is stored of it')
}
