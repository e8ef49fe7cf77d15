import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../db/database.ts'
import { findRenditions } from '../../db/playback/playback.ts'
import type { Rendition } from '../../domain/videos/rendition.ts'
import { readRuntime } from '../../processes/runtime-file.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { writeRendition } from '../../test/fixtures/play-rendition.ts'
import type { RunningService } from '../../test/fixtures/running-service.ts'
import type { Result } from './result.ts'

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
      const { kind, height, sizeBytes } = rendition
      if (kind === 'audio' || height === null) continue
      // Of a file with several segments, ffmpeg 5.1 may take the encryption data of another one.
      const { plain } = await writeRendition(
        { db, masterKeys, storage },
        videoId,
        rendition,
        folder,
      )
      files.set(height, { input: ['-i', plain], bytes: sizeBytes + audioBytes })
    }
    return { bytes: sizeOf(renditions), files }
  } finally {
    await db.close(true)
  }
}

const sizeOf = (renditions: readonly Rendition[]): number =>
  renditions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
