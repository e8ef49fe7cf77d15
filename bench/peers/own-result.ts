import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openContentKey } from '../../activities/encode/content-keys.ts'
import { openDatabase } from '../../db/database.ts'
import { findRenditions } from '../../db/playback/playback.ts'
import { segmentKey } from '../../domain/videos/media-paths.ts'
import type { Rendition } from '../../domain/videos/rendition.ts'
import { readRuntime } from '../../processes/runtime-file.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { createStorage } from '../../storage/object-storage.ts'
import type { RunningService } from '../../test/fixtures/running-service.ts'
import type { Result } from './result.ts'

const SEGMENT_MAX_BYTES = 50_000_000

/** Reads what the service has published of a video, with files in `folder`. */
export async function readOwnResult(
  { data_dir: dataDir }: RunningService,
  videoId: string,
  folder: string,
): Promise<Result> {
  const runtime = await readRuntime(dataDir)
  if (!runtime) throw new Error('the service does not run')
  const masterKeys = parseMasterKeys((await readFile(join(dataDir, 'master.key'), 'utf8')).trim())
  const storage = createStorage({ driver: 'folder', dir: join(dataDir, 'storage') })
  const db = await openDatabase({ url: runtime.databaseUrl })
  try {
    const rows = await findRenditions(db.em.fork(), videoId)
    const renditions = rows.map(({ facts }) => facts)
    const audioBytes = sizeOf(renditions.filter(({ kind }) => kind === 'audio'))
    const files: Result['files'] = new Map()
    for (const rendition of renditions) {
      const { kind, name, height, trackType, segments, sizeBytes } = rendition
      if (kind === 'audio' || height === null) continue
      const numbers = Array.from({ length: segments.length + 1 }, (_, number) => number)
      const objects = await Promise.all(
        numbers.map((number) =>
          storage.read(segmentKey(videoId, rendition, number), SEGMENT_MAX_BYTES),
        ),
      )
      const path = join(folder, `${name}.mp4`)
      await writeFile(path, Buffer.concat(objects.flatMap((object) => object?.body ?? [])))
      const { key } = await openContentKey(masterKeys, db.em.fork(), videoId, trackType)
      const input = ['-decryption_key', key.toString('hex'), '-i', path]
      files.set(height, { input, bytes: sizeBytes + audioBytes })
    }
    return { bytes: sizeOf(renditions), files }
  } finally {
    await db.close(true)
  }
}

const sizeOf = (renditions: readonly Rendition[]): number =>
  renditions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
