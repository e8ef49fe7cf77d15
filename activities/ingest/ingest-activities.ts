import type { ActivityDeps } from '../deps.ts'
import { createDownloadSource } from '../download/download-source.ts'
import { createContentKeysStep } from '../encode/create-content-keys.ts'
import { createForgetChunks } from '../encode/forget-chunks.ts'
import { createPrepareEncoding } from '../encode/prepare-encoding.ts'
import { createCleanUpVideo, createFailVideo } from './end-video.ts'
import { createFinishVideo } from './finish-video.ts'
import { ingestStep } from './ingest-step.ts'
import { createRemoveVideo } from './remove-video.ts'
import { createSetPoster } from './set-poster.ts'
import { createStopIngest } from './stop-ingest.ts'

/**
 * The activities of the task queue `ingest`: the steps of an ingest before and after its encoding, its
 * end, the deletion of a video, and its uploaded poster.
 */
export const createIngestActivities = (deps: ActivityDeps) => ({
  downloadSource: ingestStep(createDownloadSource(deps)),
  prepareEncoding: ingestStep(createPrepareEncoding(deps)),
  createContentKeys: ingestStep(createContentKeysStep(deps)),
  forgetChunks: ingestStep(createForgetChunks(deps)),
  finishVideo: ingestStep(createFinishVideo(deps)),
  failVideo: ingestStep(createFailVideo(deps)),
  cleanUpVideo: ingestStep(createCleanUpVideo(deps)),
  stopIngest: createStopIngest(deps),
  removeVideo: createRemoveVideo(deps),
  setPoster: ingestStep(createSetPoster(deps)),
})
