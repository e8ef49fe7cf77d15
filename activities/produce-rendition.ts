import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Context } from '@temporalio/activity'
import { Rendition } from '../db/entities/video.ts'
import type { ActivityDeps } from './deps.ts'
import type { VideoInput } from './download-source.ts'
import { reportingProgress } from './encode-progress.ts'
import { findLiveVideo } from './live-video.ts'
import { asFailure } from './media-failure.ts'
import { publishRendition } from './publish-rendition.ts'
import type { RenditionToPublish } from './publish-rendition.ts'
import { ensureSource, openWorkFolder } from './work-folder.ts'
import type { WorkFolder } from './work-folder.ts'

/** What an encoder is told beside what it encodes. */
interface EncodeTarget {
  sourcePath: string
  /** Where the plain file goes; it is removed once it is published. */
  outputPath: string
  signal: AbortSignal
  /** How much is done, from 0 to 1. */
  onProgress: (fraction: number) => void
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
  const signal = Context.current().cancellationSignal
  const em = deps.db.em.fork()
  const video = await findLiveVideo(em, videoId)
  if (await em.findOne(Rendition, { videoId, name })) return
  const folder = await openWorkFolder(deps.workDir, videoId)
  const outputPath = join(folder.path, `${name}.${crypto.randomUUID()}.mp4`)
  try {
    await reportingProgress(name, async (onProgress) => {
      await ensureSource(deps.storage, folder, videoId, signal)
      const { sourcePath } = folder
      await asFailure(work.encode({ sourcePath, outputPath, signal, onProgress }))
      const item = { ...rendition, video, encodedPath: outputPath }
      await publishRendition(deps, folder, item, signal)
    })
    await work.onPublished?.(outputPath, folder)
  } finally {
    await rm(outputPath, { force: true })
  }
}
