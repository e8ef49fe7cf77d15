import { withDeps, type ActivityDeps } from '../deps.ts'
import { createDownloadSource } from '../download/download-source.ts'
import { createContentKeys } from '../encode/create-content-keys.ts'
import { forgetChunks } from '../encode/forget-chunks.ts'
import { prepareEncoding } from '../encode/prepare-encoding.ts'
import { cleanUpVideo, failVideo } from './end-video.ts'
import { finishVideo } from './finish-video.ts'
import { ingestStep } from './ingest-step.ts'
import { removeVideo } from './remove-video.ts'
import { createSetPoster } from './set-poster.ts'
import { stopIngest } from './stop-ingest.ts'

/**
 * The activities of the task queue `ingest`: the steps of an ingest before and after its encoding, its
 * end, the deletion of a video, and its uploaded poster.
 */
export const createIngestActivities = (deps: ActivityDeps) => ({
  downloadSource: ingestStep(createDownloadSource(deps)),
  prepareEncoding: ingestStep(withDeps(deps, prepareEncoding)),
  createContentKeys: ingestStep(withDeps(deps, createContentKeys)),
  forgetChunks: ingestStep(withDeps(deps, forgetChunks)),
  finishVideo: ingestStep(withDeps(deps, finishVideo)),
  failVideo: ingestStep(withDeps(deps, failVideo)),
  cleanUpVideo: ingestStep(withDeps(deps, cleanUpVideo)),
  stopIngest: withDeps(deps, stopIngest),
  removeVideo: withDeps(deps, removeVideo),
  setPoster: ingestStep(createSetPoster(deps)),
})
