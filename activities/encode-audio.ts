import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Context } from '@temporalio/activity'
import { Rendition } from '../db/entities/video.ts'
import { encodeAudio as encode } from '../media/encode-audio.ts'
import type { SourceFacts } from '../media/probe-source.ts'
import type { ActivityDeps } from './deps.ts'
import type { VideoInput } from './download-source.ts'
import { reportingProgress } from './encode-progress.ts'
import { findLiveVideo } from './live-video.ts'
import { asFailure } from './media-failure.ts'
import type { AudioTrack } from './prepare-encoding.ts'
import { publishRendition } from './publish-rendition.ts'
import { ensureSource, openWorkFolder } from './work-folder.ts'

export interface EncodeAudioInput extends VideoInput {
  facts: SourceFacts
  track: AudioTrack
  audioNames: string[]
}

/** One audio track of the source, encoded once for all rungs, to published segments. */
export function createEncodeAudio(deps: ActivityDeps) {
  return async function encodeAudio(input: EncodeAudioInput): Promise<void> {
    const { videoId, track, facts, audioNames } = input
    const signal = Context.current().cancellationSignal
    const em = deps.db.em.fork()
    const video = await findLiveVideo(em, videoId)
    if (await em.findOne(Rendition, { videoId, name: track.name })) return
    const folder = await openWorkFolder(deps.workDir, videoId)
    const outputPath = join(folder.path, `${track.name}.${crypto.randomUUID()}.mp4`)
    const source = facts.audio[track.position]
    if (!source) throw new Error('the plan names an audio track that the source does not have')
    try {
      await reportingProgress(track.name, async (onProgress) => {
        await ensureSource(deps.storage, folder, videoId, signal)
        const { sourcePath } = folder
        const args = { sourcePath, facts, track: source, outputPath, signal, onProgress }
        await asFailure(encode(args))
        const { name } = track
        const { language, title: label } = source
        const item = { video, kind: 'audio', name, trackType: 'AUDIO', language, label } as const
        await publishRendition(
          deps,
          folder,
          { ...item, encodedPath: outputPath, audioNames },
          signal,
        )
      })
    } finally {
      await rm(outputPath, { force: true })
    }
  }
}
