import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { recordCopy } from '../../commands/ingest/record-source.ts'
import type { Video } from '../../db/entities/video.ts'
import { isWorthCopying } from '../../domain/encoding/chunks.ts'
import type { SourceFacts } from '../../domain/ingest/source-facts.ts'
import { PIECE_BYTES } from '../../domain/ingest/source-tail.ts'
import { copyKey, copyPrefix } from '../../domain/videos/media-paths.ts'
import { framesPerSecond } from '../../domain/videos/rendition.ts'
import { copyPicture } from '../../media/encode/copy-picture.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import {
  createSourceSealer,
  newSourceId,
  SOURCE_HEADER,
  type SourceKeyOf,
} from '../../security/sealing/encrypted-source.ts'
import type { ActivityDeps } from '../deps.ts'
import { newFile } from '../scratch/scratch-file.ts'
import { scratchSpaceOf } from '../scratch/scratch-space.ts'
import { inToolTurn } from '../scratch/tool-turns.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'
import type { OpenSource } from '../source/open-source.ts'
import { readSourceKey } from '../source/source-keys.ts'

interface Probed {
  video: Pick<Video, 'id' | 'accountId'>
  facts: SourceFacts
  source: OpenSource
}

/** Of the two lists of packets that are compared, generously. */
const LISTED_BYTES = 160

/**
 * Makes the copy of the picture that chunks of a source are read from, if it cannot be read from the middle itself (ADR 0046):
 * copies it on this machine, stores it encrypted, and records it. Returns whether the source has a copy. One that
 * an earlier attempt has recorded is used. Without one, the video is encoded whole: if any doubt is left whether chunks would
 * show the same, and if this machine has no space.
 */
export async function makeCopy(
  deps: ActivityDeps,
  folder: WorkFolder,
  { video, facts, source }: Probed,
  work: MediaWork,
): Promise<boolean> {
  const { sourceId } = source
  // A source that is not encrypted is from before copies.
  if (sourceId === null || !isWorthCopying(facts, deps.chunkSeconds)) return false
  const key = await readSourceKey(deps, video.id)
  if (key?.sourceId !== sourceId) throw new Error('the source was stored again')
  if (key.copyId !== null) return true
  const lease = scratchSpaceOf(deps.workDir).lease(0)
  const file = await newFile(folder, 'copy')
  const { path } = file
  try {
    if (!(await lease.cover(neededBytes(facts, source)))) {
      deps.logger.warn(
        { videoId: video.id },
        'no scratch space to cut a video: it is encoded whole',
      )
      return false
    }
    const listPath = join(folder.path, `copy.${randomUUID()}`)
    const copying = { ...work, sourcePath: source.path, facts, outputPath: path, listPath }
    if (!(await inToolTurn(video.accountId, work, () => copyPicture(copying)))) {
      deps.logger.info(
        { videoId: video.id },
        'a video cannot be cut for certain: it is encoded whole',
      )
      return false
    }
    lease.written((await stat(path)).size)
    return await storeCopy(deps, { ...key, sourceId }, path, work)
  } finally {
    await file.remove()
    lease.release()
  }
}

/** A container that can be read from the middle is hardly ever larger than one that cannot. */
function neededBytes({ durationMs, video }: SourceFacts, { sizeBytes }: OpenSource): number {
  const frames = ((durationMs ?? 0) / 1000) * framesPerSecond(video.frameRate)
  return sizeBytes + Math.ceil(frames * LISTED_BYTES)
}

interface CopyOf extends SourceKeyOf {
  sourceId: string
}

/** Stores a copy and records it, unless another attempt was first, whose copy is used then. */
async function storeCopy(
  deps: ActivityDeps,
  { videoId, key, sourceId }: CopyOf,
  path: string,
  work: MediaWork,
): Promise<boolean> {
  const copyId = newSourceId()
  const prefix = copyPrefix(videoId, copyId)
  const sealed = sealedFile({ videoId, key, copyOf: sourceId }, copyId, path, work)
  await deps.storage.putStream(copyKey(videoId, copyId), sealed, 'application/octet-stream')
  let isUsed = false
  try {
    await deps.db.em.fork().transactional(async (tx) => {
      isUsed = await recordCopy(tx, videoId, { sourceId, copyId })
    })
  } finally {
    // A failure of the commit may hide its success.
    if (!isUsed) await deps.storage.deletePrefix(prefix)
  }
  return isUsed || (await readSourceKey(deps, videoId))?.copyId != null
}

/** Encrypts the file at `path`, whose first piece has the nonce `id`. */
async function* sealedFile(
  of: SourceKeyOf,
  id: string,
  path: string,
  { signal, onProgress }: MediaWork,
): AsyncGenerator<Buffer> {
  const sealer = createSourceSealer(of, 0, id)
  yield SOURCE_HEADER
  for await (const chunk of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    signal.throwIfAborted()
    onProgress?.()
    for (const piece of sealer.add(chunk as Buffer)) yield* piece
  }
  yield* sealer.end()
}
