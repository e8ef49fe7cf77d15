import type { ActivityDeps } from './deps.ts'
import { createDownloadSource } from './download-source.ts'
import { createCleanUpVideo, createFailVideo } from './end-video.ts'
import { createFinishVideo } from './finish-video.ts'
import { ingestStep } from './ingest-step.ts'
import { createPrepareEncoding } from './prepare-encoding.ts'

/** The activities of the task queue `ingest` for one video, before and after its encoding. */
export const createIngestActivities = (deps: ActivityDeps) => ({
  downloadSource: ingestStep(createDownloadSource(deps)),
  prepareEncoding: ingestStep(createPrepareEncoding(deps)),
  finishVideo: ingestStep(createFinishVideo(deps)),
  failVideo: createFailVideo(deps),
  cleanUpVideo: createCleanUpVideo(deps),
})
