import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  patched,
  proxyActivities,
} from '@temporalio/workflow'
import type { createIngestActivities } from '../activities/ingest/ingest-activities.ts'
import { planLaterChunks, withoutHead, type ChunkPlan } from '../domain/encoding/chunks.ts'
import type { Rung } from '../domain/encoding/ladder.ts'
import {
  CHUNK_NOT_EXACT,
  INTERNAL_ERROR_RETRY,
  type AudioTrack,
  type EncodingPlan,
  type IngestProgress,
  type IngestVideoInput,
  type RenditionProgress,
  type RungGroup,
} from '../domain/ingest/ingest.ts'
import { TASK_QUEUES } from '../temporal/names.ts'
import { allOrNone, callAfterLast, type Work } from './all-or-none.ts'
import { encodeActivities, groupWorks, turnOf } from './encode-chunks.ts'
import { showIngest } from './show-ingest.ts'

const { forgetChunks } = proxyActivities<ReturnType<typeof createIngestActivities>>({
  taskQueue: TASK_QUEUES.ingest,
  startToCloseTimeout: '10 minutes',
  ...INTERNAL_ERROR_RETRY,
})

/**
 * Publishes every rendition of a plan with chunks (ADR 0031). All activities are requested at the same time:
 * the audio tracks and the chunks of the first rung, which make the video playable, in their own queue; of
 * each chunk all other rungs together. A video plays with the first chunk and the beginning of the audio, so the first
 * activity of the first rung is requested before the audio. If one fails permanently, cancels the others and throws once they
 * have ended. If a chunk does not fit its place in the video, encodes what is not published yet whole.
 */
export async function encodeLadder(
  input: IngestVideoInput,
  plan: EncodingPlan,
  progress: IngestProgress,
  onPlayable: () => void,
): Promise<void> {
  const { chunks } = plan
  if (!chunks) throw new Error('the plan has no chunks')
  progress.renditions = [...plan.audio, ...plan.rungs].map(({ name }) => ({
    name,
    stage: 'waiting',
  }))
  const encoding = { input, plan, cut: chunks, progress, onPlayable }
  try {
    await allOrNone(worksOf(encoding))
  } catch (error) {
    if (chunks.count === 1 || !isChunkNotExact(error)) throw error
    await forgetChunks.executeWithOptions({ summary: 'Start again without chunks' }, [input])
    for (const rendition of progress.renditions) delete rendition.chunks
    await allOrNone(worksOf({ ...encoding, cut: { chunkFrames: chunks.chunkFrames, count: 1 } }))
  }
}

function isChunkNotExact(error: unknown): boolean {
  const failed = error instanceof ChildWorkflowFailure ? error.cause : error
  const cause = failed instanceof ActivityFailure ? failed.cause : undefined
  return cause instanceof ApplicationFailure && cause.type === CHUNK_NOT_EXACT
}

interface Encoding {
  input: IngestVideoInput
  plan: EncodingPlan
  /** The plan's chunks, or the whole video. */
  cut: ChunkPlan
  progress: IngestProgress
  onPlayable: () => void
}

/** The works of all renditions that are not published yet, in the order in which they should begin. */
function worksOf(encoding: Encoding): Work[] {
  const { plan, onPlayable } = encoding
  const [firstRung, ...laterRungs] = plan.rungs
  if (!firstRung) throw new Error('a ladder has at least one rung')
  const first = firstWorks(encoding, firstRung)
  if (laterRungs.length === 0) return first
  return [...callAfterLast(first, onPlayable), ...laterWorks(encoding, laterRungs)]
}

/** What makes the video playable. Viewers decide on the order of the chunks, within what this video gets of the encoders. */
function firstWorks(encoding: Encoding, rung: Rung): Work[] {
  const { plan, cut } = encoding
  const followsPlayheads = cut.count > 1 && patched('first-rung-follows-playheads')
  // Mixed releases: a worker of the one before encodes the audio as one, and its history goes on like that.
  const hasPieces = followsPlayheads && plan.hasSoundPieces && patched('sound-in-pieces')
  const audio = hasPieces ? [] : plan.audio.flatMap((track) => audioWorks(encoding, track))
  const chunks = rungWorks(encoding, [rung], {
    isFirst: true,
    ...(followsPlayheads && { followsPlayheads }),
    ...(hasPieces && { sound: { audio: plan.facts.audio, tracks: plan.audio } }),
  })
  return followsPlayheads
    ? [...chunks.slice(0, 1), ...audio, ...chunks.slice(1)]
    : [...audio, ...chunks]
}

/** Of a video that is sampled, the other rungs wait for the trial encodes; the first one does not. */
function laterWorks(encoding: Encoding, rungs: Rung[]): Work[] {
  const { plan, cut } = encoding
  // A video that is encoded whole after all cannot be sampled either.
  if (cut.count === 1) return rungWorks(encoding, rungs, { isFirst: false })
  const followsReads = patched('other-rungs-follow-reads')
  const order = { isFirst: false, ...(followsReads && { followsReads }) }
  if (!plan.isSampled) return rungWorks(encoding, rungs, order)
  return [
    async () => {
      const chosen = await chooseRungs(encoding)
      await allOrNone(rungWorks(encoding, chosen.slice(1), order))
    },
  ]
}

/** Returns the ladder by the trial encodes. What they drop is not shown any more. */
async function chooseRungs({ input, plan, progress }: Encoding): Promise<Rung[]> {
  const options = {
    ...turnOf('later', input.accountId),
    summary: 'Choose quality by trial encodes',
  }
  const { audio: _, ...picture } = plan.facts
  const chosen = await encodeActivities.chooseRungs.executeWithOptions(options, [
    { ...input, picture, rungs: plan.rungs },
  ])
  const names = toNames([...chosen, ...plan.audio])
  progress.renditions = progress.renditions.filter(({ name }) => names.includes(name))
  return chosen
}

function audioWorks({ input, plan, progress }: Encoding, track: AudioTrack): Work[] {
  const { name } = track
  const options = { ...turnOf('beginning', input.accountId), summary: `Encode ${name}` }
  const work = (): Promise<void> =>
    encodeActivities.encodeAudio.executeWithOptions(options, [
      { ...input, facts: plan.facts, audioNames: toNames(plan.audio), track },
    ])
  return tracked(progress, unpublished(progress, [name]), [work])
}

function rungWorks(
  { input, plan, cut, progress }: Encoding,
  all: Rung[],
  order: Pick<RungGroup, 'isFirst' | 'followsPlayheads' | 'followsReads' | 'sound'>,
): Work[] {
  const tracks = order.sound?.tracks ?? []
  const entries = unpublished(progress, toNames([...all, ...tracks]))
  const rungs = all.filter(({ name }) => entries.some((one) => one.name === name))
  if (rungs.length === 0) return []
  const { audio: _, ...picture } = plan.facts
  const audioNames = toNames(plan.audio)
  const planned = order.isFirst ? cut : laterPlan(cut, picture, all)
  const group: RungGroup = { ...input, picture, rungs, ...order, audioNames, plan: planned }
  for (const entry of entries) entry.chunks = { done: 0, count: planned.count }
  const works = groupWorks(group, (chunks) => {
    for (const entry of entries) if (entry.chunks) entry.chunks.done += chunks
    showIngest(progress)
  })
  return tracked(progress, entries, works)
}

/** Mixed releases: histories of the one before cut all rungs alike. */
const laterPlan = (cut: ChunkPlan, picture: RungGroup['picture'], rungs: Rung[]): ChunkPlan =>
  cut.count > 1 && patched('short-chunks-of-large-rungs')
    ? planLaterChunks(cut, picture, rungs)
    : withoutHead(cut)

const toNames = (renditions: readonly { name: string }[]): string[] =>
  renditions.map(({ name }) => name)

const unpublished = ({ renditions }: IngestProgress, names: string[]): RenditionProgress[] =>
  renditions.filter(({ name, stage }) => names.includes(name) && stage !== 'published')

/** Shows the stage of renditions that are published when all of `works` are done. */
function tracked(progress: IngestProgress, entries: RenditionProgress[], works: Work[]): Work[] {
  if (entries.length === 0) return []
  for (const entry of entries) entry.stage = 'encoding'
  return callAfterLast(works, () => {
    for (const entry of entries) entry.stage = 'published'
    showIngest(progress)
  })
}
