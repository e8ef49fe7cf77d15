import { findAnyVideoDetails, listRenditions } from '../../db/accounts/operator.ts'
import type { EntityManager } from '../../db/database.ts'
import type { Video } from '../../db/entities/video.ts'
import { readProgress } from '../../db/ingest/ingest-progress.ts'
import { formatBytes } from '../../domain/format-bytes.ts'
import { isFinal } from '../../domain/videos/video-state.ts'
import { videoWorkflowId } from '../../domain/workflow-ids.ts'
import type { StepTrouble } from '../../temporal/video-progress.ts'
import { operatorVideoView, stepTroubleView } from '../../views/operator/operator.ts'
import { ingestProgressView } from '../../views/videos/ingest-progress.ts'
import { renditionView } from '../../views/videos/video.ts'
import type { Context } from '../context.ts'
import { noVideo } from '../errors.ts'
import { fields, humaneTime } from '../output.ts'
import type { RegisterVerbs } from '../verb.ts'
import { addList, secondsText } from './videos-list.ts'
import { writeOriginal } from './videos-original.ts'
import { retryAsNew } from './videos-retry-as-new.ts'
import { addUpload } from './videos-upload.ts'

/** The verbs of `videos`. */
export const videos: RegisterVerbs = (program, run) => {
  const noun = program
    .command('videos')
    .description(
      'list and inspect videos, upload files, make a new one from a failed one, and get an original back',
    )
  addList(noun, run)
  noun
    .command('show')
    .description('show a video and its renditions')
    .argument('<video id>', 'id from videos list')
    .action(run(show))
  noun
    .command('retry-as-new')
    .description('make a new video from the link and data of a failed one')
    .argument('<video id>', 'id from videos list')
    .action(run(retryAsNew))
  noun
    .command('original')
    .description('write the kept original of a video to a file, decrypted')
    .argument('<video id>', 'id from videos list')
    .requiredOption('--output <file>', 'file to write; it must not exist')
    .action(run(writeOriginal))
  addUpload(noun, run)
}

async function show(context: Context, _options: object, [id = '']: string[]): Promise<void> {
  const em = await context.entityManager()
  const details = await findAnyVideoDetails(em, id)
  if (!details) throw noVideo(id)
  const { status, deletedAt } = details.video
  const isRunning = !isFinal(status) && deletedAt === null
  const troubles = isRunning ? await readTroubles(context, id) : []
  const record = {
    ...operatorVideoView(details, context.embedBase),
    workflow_id: videoWorkflowId(id),
    renditions: (await listRenditions(em, id)).map(renditionView),
    progress: isRunning ? await readIngestProgress(em, details.video) : null,
    /** Null if Temporal does not respond. */
    troubles: troubles?.map(stepTroubleView) ?? null,
  }
  context.out.print(record, videoText(record))
}

/** Null if the video was deleted meanwhile. */
async function readIngestProgress(
  em: EntityManager,
  { id, accountId }: Video,
): Promise<ReturnType<typeof ingestProgressView>> {
  const [recorded] = await readProgress(em, accountId, [id])
  return recorded ? ingestProgressView(recorded) : null
}

const TEMPORAL_TIMEOUT_MS = 2_000

/** Reads the failing steps of a running ingest. Null if Temporal does not respond or has no such workflow. */
async function readTroubles(context: Context, videoId: string): Promise<StepTrouble[] | null> {
  const [{ openClient }, { readStepTroubles }] = await Promise.all([
    import('../../temporal/connect.ts'),
    import('../../temporal/video-progress.ts'),
  ])
  const namespace = context.config.namespaces.main
  const client = openClient({ address: context.temporalAddress(), namespace })
  try {
    const read = () => readStepTroubles(client, videoId)
    return await client.withDeadline(Date.now() + TEMPORAL_TIMEOUT_MS, read)
  } catch {
    return null
  } finally {
    await client.connection.close()
  }
}

interface ShownVideo extends ReturnType<typeof operatorVideoView> {
  workflow_id: string
  renditions: ReturnType<typeof renditionView>[]
  /** Null for a video that has ended. */
  progress: ReturnType<typeof ingestProgressView>
  troubles: ReturnType<typeof stepTroubleView>[] | null
}

const videoText = (video: ShownVideo): string =>
  fields([
    ['id', video.id],
    ['account', String(video.account_id)],
    [
      'status',
      video.deleted_at ? `${video.status}, deleted ${humaneTime(video.deleted_at)}` : video.status,
    ],
    ...progressFields(video.progress),
    ['title', video.title],
    ['duration', secondsText(video.duration)],
    ['size', formatBytes(video.size_bytes)],
    ['error', video.error ? `${video.error.code}: ${video.error.message}` : '-'],
    ...video.warnings.map(({ message }): [string, string] => ['warning', message]),
    ['embed', video.embed_url],
    ['workflow', video.workflow_id],
    ...(video.troubles ?? []).map(troubleField),
    ...video.renditions.map(renditionField),
  ])

function progressFields(progress: ShownVideo['progress']): [string, string][] {
  if (progress === null) return []
  const { percent, seconds_left: left, watchable_seconds: watchable, renditions } = progress
  const parts = renditions.map((one) => `${one.name} ${one.percent} %`)
  const estimate = left === null ? [] : [`about ${secondsText(left)} left`]
  const beginning = watchable ? [`${secondsText(watchable)} watchable`] : []
  return [['progress', [`${percent} %`, ...estimate, ...beginning, ...parts].join(', ')]]
}

function troubleField(trouble: ReturnType<typeof stepTroubleView>): [string, string] {
  const next = trouble.next_attempt_at === null ? 'running' : `next ${trouble.next_attempt_at}`
  return ['trouble', `${trouble.step}, attempt ${trouble.attempt}: ${trouble.failure}; ${next}`]
}

function renditionField(rendition: ReturnType<typeof renditionView>): [string, string] {
  const { name, codecs, bandwidth_bps: bps, segments, loudness } = rendition
  const audio = loudness === null ? '' : `, ${loudnessText(loudness)}`
  return [name, `${codecs}, ${Math.round(bps / 1000)} kbit/s, ${segments} segments${audio}`]
}

function loudnessText(loudness: NonNullable<ReturnType<typeof renditionView>['loudness']>): string {
  const { integrated_lufs: lufs, true_peak_dbtp: peak, gain_db: gain } = loudness
  if (lufs === null) return 'silent or too short to measure'
  const change =
    gain === 0 ? '' : `, played ${Math.abs(gain)} dB ${gain > 0 ? 'louder' : 'quieter'}`
  return `${lufs} LUFS, peak ${peak ?? '-'} dBTP${change}`
}
