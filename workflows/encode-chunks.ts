import { executeChild, patched, proxyActivities, uuid4, workflowInfo } from '@temporalio/workflow'
import type { createEncodeActivities } from '../activities/encode/encode-activities.ts'
import { PRIORITIES } from '../domain/ingest/ingest-priority.ts'
import {
  HEARTBEAT_TIMEOUT_MS,
  INTERNAL_ERROR_RETRY,
  type EncodeChunksInput,
  type RungGroup,
} from '../domain/ingest/ingest.ts'
import { videoWorkflowId } from '../domain/workflow-ids.ts'
import { ACCOUNT_ID, TASK_QUEUES, VIDEO_ID } from '../temporal/names.ts'
import { allOrNone, type Work } from './all-or-none.ts'

/** The most chunks whose activities one history holds: each costs it up to six events. */
const CHUNKS_PER_HISTORY = 48

export const encodeActivities = proxyActivities<ReturnType<typeof createEncodeActivities>>({
  taskQueue: TASK_QUEUES.encode,
  startToCloseTimeout: '48 hours',
  heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  ...INTERNAL_ERROR_RETRY,
})

/** What an encode is for: that the video begins to play, that it becomes playable, or another rung. */
type Turn = 'beginning' | 'first' | 'later'

/** The queue and the priority of an encode of this workflow. Accounts take turns. */
export function turnOf(turn: Turn, accountId: number) {
  const isBacklog = isOfBacklog()
  const isSoon = turn !== 'later'
  const ofBacklog = isSoon ? PRIORITIES.backlogFirst : PRIORITIES.backlogLater
  return {
    taskQueue: queueOf(isSoon && !isBacklog),
    priority: {
      priorityKey: isBacklog ? ofBacklog : PRIORITIES[turn],
      fairnessKey: String(accountId),
    },
  }
}

/**
 * The queue and the priority of the step before the encodes. That of a backlog waits for an encoder: hundreds would fill the slots of
 * the queue of the other steps while they wait for a tool. So a backlog begins a video when none of it waits for an encoder.
 */
export const turnOfPreparation = (accountId: number) =>
  isOfBacklog() ? turnOf('later', accountId) : {}

const isOfBacklog = (): boolean => workflowInfo().priority?.priorityKey === PRIORITIES.backlog

/** What makes a video playable has a queue, and so encoders, of its own; not that of a backlog, whose encoders yield. */
export const queueOf = (isSoon: boolean): string =>
  isSoon ? TASK_QUEUES['encode-first'] : TASK_QUEUES.encode

/**
 * Encodes a range of the chunks of a long video: a child of its ingest, so that no history grows beyond a
 * thousand events. If one chunk fails permanently, cancels the others and fails once they have ended.
 */
export async function encodeChunks(input: EncodeChunksInput): Promise<void> {
  await allOrNone(chunkWorks(input, () => {}))
}

/**
 * The same for a group whose activities have tickets. A type of its own: a worker of a release without tickets would encode the chunks of
 * these numbers instead, beside tickets of other children that claim the same ones, and newer workers could not replay its history.
 */
export async function encodeTickets(input: EncodeChunksInput): Promise<void> {
  await encodeChunks(input)
}

/**
 * The encodes of all chunks of a group, by child workflows if there are many. `onDone` gets the number that is done.
 * Of a group that follows playheads, the first one makes the video play, so no child delays it.
 */
export function groupWorks(group: RungGroup, onDone: (chunks: number) => void): Work[] {
  const { count } = group.plan
  if (count <= CHUNKS_PER_HISTORY) return chunkWorks({ ...group, from: 0, to: count }, onDone)
  const from = startOfChildren(group)
  return [
    ...chunkWorks({ ...group, from: 0, to: from }, onDone),
    ...rangesOf(group).map((range) => childWork(range, onDone)),
  ]
}

const startOfChildren = ({ followsPlayheads }: RungGroup): number => (followsPlayheads ? 1 : 0)

function chunkWorks(
  { from, to, ...group }: EncodeChunksInput,
  onDone: (chunks: number) => void,
): Work[] {
  return Array.from({ length: to - from }, (_, offset) => async () => {
    await encodeOne(group, from + offset)
    onDone(1)
  })
}

/** Encodes one chunk: the one of this number, the one that a viewer needs next, or one whose source the machine has read. */
function encodeOne(group: RungGroup, number: number): Promise<void> {
  const { isFirst, accountId, plan, followsPlayheads, followsReads, sound } = group
  const firstTurn = number === 0 ? 'beginning' : 'first'
  const turn = turnOf(isFirst ? firstTurn : 'later', accountId)
  const summary = `Encode ${rungNames(group)}`
  const place = `${number + 1} of ${plan.count}`
  if (sound)
    return encodeActivities.encodeNextPart.executeWithOptions(
      {
        ...turn,
        summary: `${summary}${sound.tracks.length > 0 ? ' and its audio' : ''}, ${place}`,
      },
      [{ ...group, sound, ticket: number }],
    )
  if (followsPlayheads || followsReads) {
    const { encodeNextChunk, encodeLaterChunk } = encodeActivities
    const encode = followsPlayheads ? encodeNextChunk : encodeLaterChunk
    const options = { ...turn, summary: `${summary}, ${place}` }
    return encode.executeWithOptions(options, [{ ...group, ticket: number }])
  }
  return encodeActivities.encodeChunk.executeWithOptions(
    { ...turn, summary: plan.count > 1 ? `${summary}, chunk ${place}` : summary },
    [{ ...group, index: number }],
  )
}

/** Returns the ranges of chunks that the histories of a group hold: each of a long video that of a child. */
export function rangesOf(group: RungGroup): EncodeChunksInput[] {
  const { count } = group.plan
  const first = startOfChildren(group)
  return Array.from({ length: Math.ceil((count - first) / CHUNKS_PER_HISTORY) }, (_, range) => {
    const from = first + range * CHUNKS_PER_HISTORY
    return { ...group, from, to: Math.min(count, from + CHUNKS_PER_HISTORY) }
  })
}

function childWork(input: EncodeChunksInput, onDone: (chunks: number) => void): Work {
  const { videoId, accountId, from, to, followsPlayheads, followsReads } = input
  const hasTickets = followsPlayheads === true || followsReads === true
  const what = hasTickets ? 'Encodes' : 'Chunks'
  return async () => {
    const isOfTickets = hasTickets && patched('tickets-have-their-children')
    await executeChild(isOfTickets ? encodeTickets : encodeChunks, {
      args: [input],
      // The children of an earlier run of this ingest may still be ending.
      workflowId: `${videoWorkflowId(videoId)}-chunks-${from + 1}-${uuid4().slice(0, 8)}`,
      staticSummary: `${what} ${from + 1} to ${to} of ${videoId}: ${rungNames(input)}`,
      cancellationType: 'WAIT_CANCELLATION_COMPLETED',
      parentClosePolicy: 'REQUEST_CANCEL',
      priority: { ...workflowInfo().priority, fairnessKey: String(accountId) },
      typedSearchAttributes: [
        { key: ACCOUNT_ID, value: accountId },
        { key: VIDEO_ID, value: videoId },
      ],
    })
    onDone(to - from)
  }
}

const rungNames = ({ rungs }: RungGroup): string => rungs.map(({ name }) => name).join(', ')
