import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isPublished } from '../db/renditions.ts'
import type { EncodeAudioInput, EncodeRungInput, IngestVideoInput } from '../domain/ingest.ts'
import { encodeAudio as encodeTrack } from '../media/encode-audio.ts'
import type { MediaWork } from '../media/run-tool.ts'
import type { ActivityDeps } from './deps.ts'
import { ingestStep, findLiveVideo } from './ingest-step.ts'
import { publishRendition } from './publish-rendition.ts'
import type { RenditionToPublish } from './publish-rendition.ts'
import { reportVideoProgress, reportedWork } from './report-progress.ts'
import { createSharedEncode } from './shared-encode.ts'
import { ensureSource, openWorkFolder } from './work-folder.ts'
import type { WorkFolder } from './work-folder.ts'

/**
 * The activities of the task queue `encode`: each makes one rendition, from the source to published
 * segments. Encoding and packaging are one activity because the file between them is not encrypted:
 * it stays on the machine that made it (ADR 0003).
 */
export function createEncodeActivities(deps: ActivityDeps) {
  const encodeShared = createSharedEncode(deps.encodeProcesses)

  async function encodeRung(input: EncodeRungInput): Promise<void> {
    const { rung, facts, isFirst, audioNames } = input
    const { name, trackType } = rung
    await produceRendition(deps, input, {
      rendition: { kind: 'video', name, trackType, language: null, label: null, audioNames },
      encode: (target) => encodeShared({ ...target, facts, rung, isUrgent: isFirst }),
      async onPublished(outputPath, { previewPath }) {
        if (isFirst) await rename(outputPath, previewPath)
      },
    })
  }

  /** An audio track is encoded once for all rungs. */
  async function encodeAudio(input: EncodeAudioInput): Promise<void> {
    const { track, facts, audioNames } = input
    const source = facts.audio[track.position]
    if (!source) throw new Error('the plan names an audio track that the source does not have')
    const { language, title: label } = source
    const { name } = track
    await produceRendition(deps, input, {
      rendition: { kind: 'audio', name, trackType: 'AUDIO', language, label, audioNames },
      encode: (target) => encodeTrack({ ...target, facts, track: source }),
    })
  }

  return { encodeRung: ingestStep(encodeRung), encodeAudio: ingestStep(encodeAudio) }
}

interface RenditionWork {
  rendition: Pick<
    RenditionToPublish,
    'kind' | 'name' | 'trackType' | 'language' | 'label' | 'audioNames'
  >
  encode: (target: EncodeTarget) => Promise<void>
  /** Receives the unencrypted file once the rendition is published, before the file is removed. */
  onPublished?: (outputPath: string, folder: WorkFolder) => Promise<void>
}

/** The common options of every encoder. */
interface EncodeTarget extends MediaWork {
  sourcePath: string
  /** Where to write the unencrypted file; it is removed once the rendition is published. */
  outputPath: string
}

/** Makes one rendition, with heartbeats. Does nothing if the rendition is recorded already. */
async function produceRendition(
  deps: ActivityDeps,
  { videoId }: IngestVideoInput,
  { rendition, encode, onPublished }: RenditionWork,
): Promise<void> {
  const { name } = rendition
  const em = deps.db.em.fork()
  const video = await findLiveVideo(em, videoId)
  if (await isPublished(em, videoId, name)) return
  const folder = await openWorkFolder(deps, videoId)
  const outputPath = join(folder.path, `${name}.${crypto.randomUUID()}.mp4`)
  const first = { rendition: name, fraction: 0 }
  const work = reportedWork(deps, reportVideoProgress(deps, { videoId, names: [name] }, first))
  try {
    await ensureSource(deps.storage, folder, videoId, work)
    await encode({ ...work, sourcePath: folder.sourcePath, outputPath })
    await publishRendition(deps, folder, { ...rendition, video, encodedPath: outputPath }, work)
    await onPublished?.(outputPath, folder)
  } finally {
    await rm(outputPath, { force: true })
  }
}
