import { randomBytes } from 'node:crypto'
import { claimSourceWrite, restartSourceWrite } from '../db/source-writes.ts'
import type { SourceWrite, WriterOf } from '../db/source-writes.ts'
import { lockVideoIn } from '../db/videos.ts'
import { sourceKey } from '../domain/media-paths.ts'
import { SOURCE_HEADER, createSourceSealer } from '../security/encrypted-source.ts'
import type { SourceKeyOf } from '../security/encrypted-source.ts'
import { gatherParts } from '../storage/object-storage.ts'
import type { ActivityDeps } from './deps.ts'
import { videoGone } from './ingest-step.ts'
import { fromStart, openSourceParts, resumeParts } from './source-parts.ts'

type Deps = Pick<ActivityDeps, 'db' | 'storage'>

/**
 * Writes the source of a video to storage, encrypted, while its bytes arrive (ADR 0032). Whole parts are recorded with
 * their row, so any process continues after a crash. After an error, release it and open it again.
 */
export interface SourceWriter {
  /** How many bytes of the file are recorded: where the first call of `append` continues. */
  offset(): number
  /** What says whether a link still has the file of these bytes; null if nothing does. */
  validator: string | null
  /** Appends bytes, and resolves to the recorded offset. */
  append(chunks: AsyncIterable<Buffer>): Promise<number>
  /** Makes the source visible, which then is whole. Resolves to its size. */
  finish(): Promise<number>
  /** Lets another process continue without a copy of what is recorded. Forgets bytes that are not recorded. */
  release(): Promise<void>
}

/**
 * Opens the source of a video, which has a key, for this process alone: an earlier writer throws a SourceWriteLostError
 * at its next part. Throws `video_gone` if the video was deleted or has ended.
 */
export async function openSourceWriter(deps: Deps, of: SourceKeyOf): Promise<SourceWriter> {
  const { by, row } = await claim(deps, of)
  return startWriter(deps, of, by, await resumeParts(deps, by, row))
}

/**
 * Forgets what is stored of another file, whose bytes are not those that now arrive, and opens the source from its
 * start. `validator` is that of the file that now arrives.
 */
export async function restartSource(
  deps: Deps,
  of: SourceKeyOf,
  validator: string | null,
): Promise<SourceWriter> {
  const { by, row } = await claim(deps, of)
  await restartSourceWrite(deps.db.em.fork(), by, validator)
  if (row.objectId !== null) await deps.storage.partial.abort(sourceKey(of.videoId), row.objectId)
  return startWriter(deps, of, by, fromStart({ ...row, validator }))
}

async function claim(
  { db }: Deps,
  { videoId }: SourceKeyOf,
): Promise<{ by: WriterOf; row: SourceWrite }> {
  const by = { videoId, token: randomBytes(8).toString('hex') }
  return db.em.fork().transactional(async (tx) => {
    const status = await lockVideoIn(tx, videoId, ['queued', 'processing', 'playable'])
    if (status === null) throw videoGone()
    return { by, row: await claimSourceWrite(tx, by) }
  })
}

function startWriter(deps: Deps, of: SourceKeyOf, by: WriterOf, row: SourceWrite): SourceWriter {
  const parts = openSourceParts(deps, by, row)
  const sealer = createSourceSealer(of, row.offsetBytes)
  let { offsetBytes } = row
  let isEnding = false
  let hasBegun = false
  const gathered = gatherParts(async (body, left) => {
    if (isEnding) return parts.put(body, null)
    const recorded = { offsetBytes: sealer.sealedBytes(), carry: Buffer.from(left) }
    await parts.put(body, recorded)
    ;({ offsetBytes } = recorded)
  })
  const begun = async (): Promise<void> => {
    if (hasBegun) return
    hasBegun = true
    await gathered.add(row.offsetBytes === 0 ? SOURCE_HEADER : Buffer.from(row.carry))
  }
  const orEnd = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      gathered.end()
      throw error
    }
  }
  return {
    validator: row.validator,
    offset: () => offsetBytes,
    append: (chunks) =>
      orEnd(async () => {
        await begun()
        for await (const chunk of chunks)
          for (const piece of sealer.add(chunk)) await gathered.add(piece)
        return offsetBytes
      }),
    finish: () =>
      orEnd(async () => {
        await begun()
        isEnding = true
        const sizeBytes = sealer.sealedBytes() + sealer.heldBytes()
        await gathered.add(sealer.end())
        await parts.complete(gathered.rest())
        gathered.end()
        return sizeBytes
      }),
    async release() {
      gathered.end()
      await parts.release()
    },
  }
}
