import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { VideoWithMedia } from '../../db/backup/videos.ts'
import type { EntityManager } from '../../db/database.ts'
import { findSourceKey } from '../../db/ingest/source-keys.ts'
import { segmentKey, sourceKey } from '../../domain/videos/media-paths.ts'
import type { Rendition } from '../../domain/videos/rendition.ts'
import { decodeSegments } from '../../media/package/decrypt-segment.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import type { MasterKeys } from '../../security/sealing/sealing.ts'
import { openSourceKey } from '../../security/sealing/secret-contexts.ts'
import { openStoredSource } from '../../security/sealing/stored-source.ts'
import type { ByteRange } from '../../storage/object-storage.ts'
import { openPackagerKeys } from '../packager-keys.ts'
import type { ListedContent } from './object-list.ts'
import type { ObjectPool } from './object-pool.ts'

export interface DrillContext {
  /** Of the scratch database. */
  openEm: () => EntityManager
  masterKeys: MasterKeys
  pool: ObjectPool
  /** An empty folder for decrypted segments. */
  folder: string
  work: MediaWork
  /** False if a segment is missing anywhere. */
  isComplete: boolean
}

/**
 * Decrypts and decodes the first and the last segment of each rendition of a video from a backup, and opens the first
 * and the last piece of its stored source. Resolves to the number of segments. Throws with the first that fails.
 */
export async function drillVideo(
  video: VideoWithMedia,
  objects: ListedContent[],
  context: DrillContext,
): Promise<number> {
  const contents = new Map(objects.map((entry) => [entry.key, entry]))
  const path = async (key: string): Promise<string> => {
    const content = contents.get(key)
    if (!content) throw new Error(`the backup does not have ${key}`)
    return context.pool.verify(content)
  }
  if (!context.isComplete) throw new Error('the backup does not have all its segments')
  const keys = await openPackagerKeys(context.openEm(), context.masterKeys, video.id)
  let count = 0
  for (const rendition of video.renditions) {
    const key = keys.get(rendition.trackType)
    if (!key) throw new Error(`there is no content key for ${rendition.name}`)
    const initPath = await path(segmentKey(video.id, rendition, 0))
    for (const number of firstAndLast(rendition)) {
      const segmentPath = await path(segmentKey(video.id, rendition, number))
      const segment = { kind: rendition.kind, initPath, segmentPaths: [segmentPath], key }
      await naming(`segment ${number} of ${rendition.name}`, () =>
        decodeSegments(context.folder, segment, context.work),
      )
      count += 1
    }
  }
  if (contents.has(sourceKey(video.id))) await drillSource(video.id, path, context)
  return count
}

const firstAndLast = ({ segments }: Rendition): number[] =>
  segments.length > 1 ? [1, segments.length] : [1]

async function drillSource(
  videoId: string,
  path: (key: string) => Promise<string>,
  { openEm, masterKeys }: DrillContext,
): Promise<void> {
  const row = await findSourceKey(openEm(), videoId)
  const file = await path(sourceKey(videoId))
  await naming('the stored source', async () => {
    const of = row && openSourceKey(masterKeys, row)
    const source = await openStoredSource((range) => readFileRange(file, range), of)
    await source.readPiece(0)
    await source.readPiece(source.layout.pieces - 1)
  })
}

/** Rethrows an error with the part of the video that it is about. */
async function naming(part: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${part}: ${words}`, { cause })
  }
}

async function readFileRange(path: string, { startByte, endByte }: ByteRange) {
  const { size: sizeBytes } = await stat(path)
  const body = await buffer(createReadStream(path, { start: startByte, end: endByte }))
  return { body, sizeBytes }
}
