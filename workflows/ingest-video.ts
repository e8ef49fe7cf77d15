import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  defineQuery,
  isCancellation,
  patched,
  proxyActivities,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { createDownloadActivities } from '../activities/download/download-activities.ts'
import type { createIngestActivities } from '../activities/ingest/ingest-activities.ts'
import {
  DOWNLOAD_WAITS_MS,
  ENDLESS_RETRY,
  HEARTBEAT_TIMEOUT_MS,
  INTERNAL_ERROR_RETRY,
  VIDEO_GONE,
  type EncodingPlan,
  type IngestProgress,
  type IngestVideoInput,
  type IngestVideoResult,
  type VideoFailure,
} from '../domain/ingest/ingest.ts'
import { DOWNLOAD_ATTEMPTS } from '../domain/limits.ts'
import type { TrackType } from '../domain/videos/rendition.ts'
import { SOURCE_FAILURES, type VideoErrorCode } from '../domain/videos/video-failures.ts'
import type { VideoStatus } from '../domain/videos/video-state.ts'
import { TASK_QUEUES, VIDEO_STATUS } from '../temporal/names.ts'
import { turnOfPreparation } from './encode-chunks.ts'
import { encodeLadder } from './encode-ladder.ts'
import { encodeWholeRungs } from './encode-whole-rungs.ts'
import { showIngest } from './show-ingest.ts'

/** Returns a video's progress: the stage of the ingest, and of each rendition of its ladder. */
const progressQuery = defineQuery<IngestProgress>('progress')

type IngestActivities = ReturnType<typeof createIngestActivities>

/**
 * Steps that touch files. Missing heartbeats reveal a worker that is dead or makes no progress. Waiting for
 * a cancellation to complete ensures that no ffmpeg outlives its workflow. The retries are for internal
 * errors; `download` below makes the contract's three download attempts.
 */
const STEPS = {
  startToCloseTimeout: '24 hours',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  ...INTERNAL_ERROR_RETRY,
} as const

const { downloadSource } = proxyActivities<ReturnType<typeof createDownloadActivities>>({
  taskQueue: TASK_QUEUES.download,
  ...STEPS,
})

const { prepareEncoding, finishVideo } = proxyActivities<IngestActivities>({
  taskQueue: TASK_QUEUES.ingest,
  ...STEPS,
})

/** One small request to a DRM provider, which may be away for hours. */
const { createContentKeys } = proxyActivities<IngestActivities>({
  taskQueue: TASK_QUEUES.ingest,
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  ...INTERNAL_ERROR_RETRY,
})

/** Without a deadline for all attempts: the end of an ingest must be recorded, however long the database is down. */
const { failVideo, cleanUpVideo } = proxyActivities<IngestActivities>({
  taskQueue: TASK_QUEUES.ingest,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  ...ENDLESS_RETRY,
})

/**
 * Takes a video from the accepted link to `ready`, or to `failed` with a reason (contract, "Video
 * states"). If the video fails, the workflow fails with an ApplicationFailure whose type is the code.
 */
export async function ingestVideo(input: IngestVideoInput): Promise<IngestVideoResult> {
  const progress: IngestProgress = { stage: 'download', renditions: [] }
  setHandler(progressQuery, () => progress)
  try {
    const failure = await download(input)
    if (failure) return await fail(input, failure)
    enter(progress, 'prepare')
    const turn = turnOfPreparation(input.accountId)
    const preparing = { ...turn, summary: 'Probe, plan, make keys' }
    const plan = await prepareEncoding.executeWithOptions(preparing, [
      { ...input, hasKeyStep: true },
    ])
    show('processing')
    if (plan.keysFor) await getKeys(input, plan, plan.keysFor, progress)
    enter(progress, 'encode')
    await encode(input, plan, progress)
    enter(progress, 'finish')
    // Temporal tells a worker only the priority that the activity itself has, and its tools yield by that.
    const { priority = {} } = workflowInfo()
    const finishing = { priority, summary: 'Poster, storyboard, ready' }
    const renditions = progress.renditions.map(({ name }) => name)
    await finishVideo.executeWithOptions(finishing, [{ ...input, facts: plan.facts, renditions }])
    show('ready')
    enter(progress, 'done')
    return 'ready'
  } catch (error) {
    return await endEarly(input, error)
  }
}

/** Gets the keys of a Multi-DRM video; a ClearKey video has its own since it was prepared. */
async function getKeys(
  input: IngestVideoInput,
  { audio, rungs }: EncodingPlan,
  trackTypes: TrackType[],
  progress: IngestProgress,
): Promise<void> {
  enter(progress, 'keys')
  const renditions = [...rungs, ...audio].map(({ name }) => name)
  await createContentKeys.executeWithOptions({ summary: 'Keys from the DRM provider' }, [
    { ...input, trackTypes, renditions },
  ])
}

/** Publishes every rendition of the plan; `playable` is shown unless `ready` follows at once. */
const encode = (
  input: IngestVideoInput,
  plan: EncodingPlan,
  progress: IngestProgress,
): Promise<void> =>
  (plan.chunks ? encodeLadder : encodeWholeRungs)(input, plan, progress, () => show('playable'))

/** Makes at most three attempts, with durable waits between them. Returns null once the source has arrived. */
async function download(input: IngestVideoInput): Promise<VideoFailure | null> {
  for (let attempt = 1; ; attempt += 1) {
    const failure = await attemptDownload(input, attempt)
    if (failure === null || attempt === DOWNLOAD_ATTEMPTS) return failure
    const waitMs = DOWNLOAD_WAITS_MS[attempt - 1] ?? 0
    await sleep(waitMs, { summary: `Waiting ${waitMs / 1000} s before attempt ${attempt + 1}` })
  }
}

/** Returns why the source could not be downloaded; null once it has arrived. */
async function attemptDownload(
  input: IngestVideoInput,
  attempt: number,
): Promise<VideoFailure | null> {
  const summary = `Download, attempt ${attempt} of ${DOWNLOAD_ATTEMPTS}`
  try {
    const outcome = await downloadSource.executeWithOptions({ summary }, [
      { ...input, countsFailures: true },
    ])
    return outcome.ok ? null : outcome
  } catch (error) {
    const failure = error instanceof ActivityFailure ? toVideoFailure(error) : null
    const isOfSource = failure !== null && Object.hasOwn(SOURCE_FAILURES, failure.code)
    if (isOfSource && patched('failed-download-fails-its-activity')) return failure
    throw error
  }
}

/** Of workflows that began before this, a cancellation removed the media of the video, and did not end it. */
const isEndRecorded = (): boolean => patched('end-is-recorded-when-cancelled')

/** Runs a last step to its end, also if the workflow is cancelled meanwhile. */
const toItsEnd = <T>(step: () => Promise<T>): Promise<T> =>
  isEndRecorded() ? CancellationScope.nonCancellable(step) : step()

async function fail(input: IngestVideoInput, failure: VideoFailure): Promise<IngestVideoResult> {
  await recordFailure(input, failure)
  show('failed')
  if (patched('failed-video-fails-its-workflow'))
    throw ApplicationFailure.nonRetryable(failure.message, failure.code)
  return 'failed'
}

const recordFailure = (input: IngestVideoInput, failure: VideoFailure): Promise<boolean> =>
  toItsEnd(() =>
    failVideo.executeWithOptions({ summary: failure.code }, [{ ...input, ...failure }]),
  )

async function endEarly(input: IngestVideoInput, error: unknown): Promise<IngestVideoResult> {
  // The reason of a failure that `fail` has recorded.
  if (error instanceof ApplicationFailure && isEndRecorded()) throw error
  // A stopped tool may fail with another error; the requested cancellation decides.
  if (isCancellation(error) || CancellationScope.current().consideredCancelled) {
    await endCancelled(input)
    throw isCancellation(error) ? error : new CancelledFailure('the ingest was cancelled', [])
  }
  // A child workflow encodes the chunks of a long video.
  const failed = error instanceof ChildWorkflowFailure ? error.cause : error
  if (!(error instanceof ChildWorkflowFailure || failed instanceof ActivityFailure)) throw error
  const failure = toVideoFailure(failed)
  if (failure.code !== VIDEO_GONE) return fail(input, failure)
  await toItsEnd(() => cleanUpVideo(input))
  return 'gone'
}

/**
 * Ends the video of a cancelled workflow: an operator's cancellation fails it, as that of a delivery does. A deletion
 * cancels its workflow too; then this only removes its media.
 */
async function endCancelled(input: IngestVideoInput): Promise<void> {
  if (!isEndRecorded()) return CancellationScope.nonCancellable(() => cleanUpVideo(input))
  if (await recordFailure(input, CANCELLED)) show('failed')
}

const CANCELLED: VideoFailure = {
  code: 'cancelled' satisfies VideoErrorCode,
  message: 'The processing of the video was cancelled by the operator of the service.',
}

function toVideoFailure(failed: unknown): VideoFailure {
  const cause = failed instanceof ActivityFailure ? failed.cause : failed
  if (cause instanceof ApplicationFailure && cause.nonRetryable && cause.type)
    return { code: cause.type, message: cause.message }
  return {
    code: 'internal_error' satisfies VideoErrorCode,
    message: 'The video could not be processed because of a fault on our side.',
  }
}

function enter(progress: IngestProgress, stage: IngestProgress['stage']): void {
  progress.stage = stage
  showIngest(progress)
}

const show = (status: VideoStatus): void =>
  upsertSearchAttributes([{ key: VIDEO_STATUS, value: status }])
