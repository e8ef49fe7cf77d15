import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Rendition } from '../db/entities/video.ts'
import type { MediaWork } from '../media/run-tool.ts'
import type { ActivityDeps } from './deps.ts'
import type { VideoInput } from './download-source.ts'
import { findLiveVideo } from './live-video.ts'
import { publishRendition } from './publish-rendition.ts'
import type { RenditionToPublish } from './publish-rendition.ts'
import { reportProgress, reportedWork } from './report-progress.ts'
import { ensureSource, openWorkFolder } from './work-folder.ts'
import type { WorkFolder } from './work-folder.ts'

/** What an encoder is told beside what it encodes. */
interface EncodeTarget extends MediaWork {
  sourcePath: string
  /** Where the plain file goes; it is removed once it is published. */
  outputPath: string
}

export interface RenditionWork extends VideoInput {
  rendition: Pick<
    RenditionToPublish,
    'kind' | 'name' | 'trackType' | 'language' | 'label' | 'audioNames'
  >
  encode: (target: EncodeTarget) => Promise<void>
  /** Gets the plain file once it is published, before it is removed. */
  onPublished?: (outputPath: string, folder: WorkFolder) => Promise<void>
}

/**
 * One rendition from the source to published segments, with heartbeats. A rendition that is
 * recorded already is left as it is, so a second run does nothing.
 */
export async function produceRendition(deps: ActivityDeps, work: RenditionWork): Promise<void> {
  const { videoId, rendition } = work
  const { name } = rendition
  const em = deps.db.em.fork()
  const video = await findLiveVideo(em, videoId)
  if (await em.findOne(Rendition, { videoId, name })) return
  const folder = await openWorkFolder(deps.workDir, videoId)
  const outputPath = join(folder.path, `${name}.${crypto.randomUUID()}.mp4`)
  const reported = reportedWork(deps, reportProgress({ rendition: name, fraction: 0 }))
  try {
    await ensureSource(deps.storage, folder, videoId, reported)
    await work.encode({ ...reported, sourcePath: folder.sourcePath, outputPath })
    const item = { ...rendition, video, encodedPath: outputPath }
    await publishRendition(deps, folder, item, reported)
    await work.onPublished?.(outputPath, folder)
  } finally {
    await rm(outputPath, { force: true })
  }
}
