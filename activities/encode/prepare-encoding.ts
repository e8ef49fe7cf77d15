import { recordOutline } from '../../commands/ingest/record-outline.ts'
import { transitionVideo } from '../../commands/videos/transition-video.ts'
import { findAccount } from '../../db/accounts/accounts.ts'
import type { EntityManager } from '../../db/database.ts'
import { isWorthSampling } from '../../domain/encoding/choose-rungs.ts'
import { planChunks, type ChunkPlan } from '../../domain/encoding/chunks.ts'
import { planLadder } from '../../domain/encoding/ladder.ts'
import type { EncodingPlan, PrepareEncodingInput } from '../../domain/ingest/ingest.ts'
import type { VideoOutline } from '../../domain/playback/growing-video.ts'
import { DEFAULT_PLAYER_SETTINGS } from '../../domain/settings/player-settings.ts'
import { probeSource } from '../../media/probe/probe-source.ts'
import { withFrameGrids } from '../../media/probe/read-frame-grids.ts'
import type { ActivityDeps } from '../deps.ts'
import { findLiveVideo } from '../ingest/ingest-step.ts'
import { recordWaiting } from '../ingest/record-progress.ts'
import { reportedWork, reportVideoProgress } from '../ingest/report-progress.ts'
import { inToolTurn } from '../scratch/tool-turns.ts'
import { openWorkFolder } from '../scratch/work-folder.ts'
import { checkSum } from '../source/check-sum.ts'
import { withSource } from '../source/open-source.ts'
import { ensureContentKeys } from './content-keys.ts'
import { makeCopy } from './make-copy.ts'

/**
 * Prepares a downloaded video for encoding: marks it as `processing` (video.created), compares the file with the checksum of its import, probes it, copies its
 * picture if chunks cannot be read from the file itself, plans its ladder and its chunks, records how it grows, and creates its keys, unless the workflow has a step for keys that need a DRM provider. Fails permanently if the file is not a video.
 */
export async function prepareEncoding(
  deps: ActivityDeps,
  input: PrepareEncodingInput,
): Promise<EncodingPlan> {
  const step = { videoId: input.videoId, names: ['prepare'] }
  const work = reportedWork(deps, reportVideoProgress(deps, step, { fraction: null }))
  const em = deps.db.em.fork()
  const video = await findLiveVideo(em, input.videoId)
  if (video.status === 'queued') await beginProcessing(em, video.id)
  await checkSum(deps, video.id, work)
  const folder = await openWorkFolder(deps, video.id)
  const settings = (await findAccount(em, video.accountId))?.settings ?? DEFAULT_PLAYER_SETTINGS
  const { normalize_loudness: normalizesLoudness } = settings
  const { facts, hasCopy, hasSoundPieces } = await withSource(
    deps,
    folder,
    video.id,
    work,
    async ({ path, ...source }, reading) => {
      const probed = await inToolTurn(video.accountId, reading, () => probeSource(path, reading))
      const isCopied = await makeCopy(
        deps,
        folder,
        { video, facts: probed, source: { path, ...source } },
        reading,
      )
      const isCut = !isCopied && planChunks(probed, deps.chunkSeconds).count > 1
      // Its gain is known only at its end.
      const audio =
        isCut && (!normalizesLoudness || probed.audio.length === 0)
          ? await inToolTurn(video.accountId, reading, () => withFrameGrids(path, probed, reading))
          : null
      return {
        facts: { ...probed, ...(audio && { audio }) },
        hasCopy: isCopied,
        hasSoundPieces: audio !== null,
      }
    },
  )
  const rungs = planLadder({
    width: facts.video.displayWidth,
    height: facts.video.displayHeight,
    availableResolutions: settings.available_resolutions,
    protection: video.protection,
    mode: deps.encodeMode,
  })
  const audio = facts.audio.map((_, position) => ({
    name: `audio-${position}`,
    position,
    normalizesLoudness,
  }))
  const trackTypes = new Set(rungs.map(({ trackType }) => trackType))
  if (audio.length > 0) trackTypes.add('AUDIO')
  const chunks = planChunks(facts, deps.chunkSeconds, hasCopy)
  const sound = hasSoundPieces && { hasSoundPieces }
  await recordOutline(em, video.id, outlineOf({ facts, rungs, audio, chunks, ...sound }))
  const isSampled = isWorthSampling(deps.encodeMode, facts, rungs, chunks)
  const plan = { facts, rungs, audio, chunks, ...(isSampled && { isSampled }), ...sound }
  if (input.hasKeyStep && video.protection === 'multi-drm')
    return { ...plan, keysFor: [...trackTypes] }
  await ensureContentKeys(deps, em, video, [...trackTypes], work.signal)
  await recordWaiting(
    deps,
    video.id,
    [...rungs, ...audio].map(({ name }) => name),
  )
  return plan
}

/** Of two attempts at the same time, one marks the video. Refuses with `video_gone` if it was deleted or has ended. */
async function beginProcessing(em: EntityManager, videoId: string): Promise<void> {
  if (!(await transitionVideo(em, videoId, 'processing'))) await findLiveVideo(em.fork(), videoId)
}

/** Returns how a video grows; null for a video of one chunk or of unknown length, which does not play meanwhile. */
function outlineOf({
  facts,
  rungs,
  audio,
  chunks,
  hasSoundPieces,
}: PlannedVideo): VideoOutline | null {
  const { durationMs, video } = facts
  const rung = rungs[0]?.name
  if (chunks.count === 1 || durationMs === null || rung === undefined) return null
  const names = audio.map(({ name }) => name)
  const sound = hasSoundPieces && { hasSoundPieces }
  return { durationMs, frameRate: video.frameRate, rung, audio: names, chunks, ...sound }
}

interface PlannedVideo extends Pick<EncodingPlan, 'facts' | 'rungs' | 'audio' | 'hasSoundPieces'> {
  chunks: ChunkPlan
}
