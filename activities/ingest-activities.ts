import type { ActivityDeps } from './deps.ts'
import { createDownloadSource } from './download-source.ts'
import { createCleanUpVideo, createFailVideo } from './end-video.ts'
import { createFinishVideo } from './finish-video.ts'
import { createPrepareEncoding } from './prepare-encoding.ts'
import { ingestStep } from './ingest-step.ts'

/** What the `ingest` task queue runs: everything around the encoding of one video. */
export const createIngestActivities = (deps: ActivityDeps) => ({
  downloadSource: ingestStep(createDownloadSource(deps)),
  prepareEncoding: ingestStep(createPrepareEncoding(deps)),
  finishVideo: ingestStep(createFinishVideo(deps)),
  failVideo: createFailVideo(deps),
  cleanUpVideo: createCleanUpVideo(deps),
})

export type IngestActivities = ReturnType<typeof createIngestActivities>
