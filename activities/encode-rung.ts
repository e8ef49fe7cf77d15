import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Context } from '@temporalio/activity'
import { Rendition } from '../db/entities/video.ts'
import type { Rung } from '../domain/ladder.ts'
import type { SourceFacts } from '../media/probe-source.ts'
import type { ActivityDeps } from './deps.ts'
import type { VideoInput } from './download-source.ts'
import { reportingProgress } from './encode-progress.ts'
import { findLiveVideo } from './live-video.ts'
import { asFailure } from './media-failure.ts'
import { publishRendition } from './publish-rendition.ts'
import { createSharedEncode } from './shared-encode.ts'
import { ensureSource, openWorkFolder } from './work-folder.ts'

export interface EncodeRungInput extends VideoInput {
  facts: SourceFacts
  rung: Rung
  /** Its encoder output is kept on this machine for the storyboard. */
  isFirst: boolean
  audioNames: string[]
}

/**
 * One rung from the source to published segments. Encoding and packaging are one activity because
 * what lies between them is the plain film: it stays on the machine that made it (docs/adr).
 */
export function createEncodeRung(deps: ActivityDeps) {
  const encode = createSharedEncode(deps.encodeProcesses)
  return async function encodeRung(input: EncodeRungInput): Promise<void> {
    const { videoId, rung, facts } = input
    const signal = Context.current().cancellationSignal
    const em = deps.db.em.fork()
    const video = await findLiveVideo(em, videoId)
    if (await em.findOne(Rendition, { videoId, name: rung.name })) return
    const folder = await openWorkFolder(deps.workDir, videoId)
    const outputPath = join(folder.path, `${rung.name}.${crypto.randomUUID()}.mp4`)
    try {
      await reportingProgress(rung.name, async (onProgress) => {
        await ensureSource(deps.storage, folder, videoId, signal)
        const { sourcePath } = folder
        await asFailure(
          encode({
            sourcePath,
            facts,
            rung,
            outputPath,
            isUrgent: input.isFirst,
            signal,
            onProgress,
          }),
        )
        const { name, trackType } = rung
        const item = { video, kind: 'video', name, trackType, language: null, label: null } as const
        const { audioNames } = input
        await publishRendition(
          deps,
          folder,
          { ...item, encodedPath: outputPath, audioNames },
          signal,
        )
      })
      if (input.isFirst) await rename(outputPath, folder.previewPath)
    } finally {
      await rm(outputPath, { force: true })
    }
  }
}
