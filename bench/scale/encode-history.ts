import type { Client } from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'
import type { temporal } from '@temporalio/proto'
import { planChunk } from '../../domain/encoding/chunks.ts'
import type {
  EncodeAudioInput,
  EncodeChunkInput,
  EncodeNextChunkInput,
} from '../../domain/ingest/ingest.ts'
import { framesPerSecond } from '../../domain/videos/rendition.ts'
import { videoWorkflowId } from '../../domain/workflow-ids.ts'

type HistoryEvent = temporal.api.history.v1.IHistoryEvent

export type EncodeKind = 'audio' | 'first' | 'later'

/** An encode of a finished ingest, by its last attempt. */
export interface PastEncode {
  kind: EncodeKind
  /** What it encoded, in seconds of the video. */
  videoSeconds: number
  attempt: number
  /** The identity of its worker. */
  worker: string
  startedMs: number
  endedMs: number
}

export interface PastVideo {
  encodes: PastEncode[]
  /** Of a chunk; each has the facts of the video and its plan. */
  sample: EncodeChunkInput
}

/** Reads the encodes of a video whose ingest is over from the history of its workflow. It must have no children. */
export async function readEncodes(client: Client, videoId: string): Promise<PastVideo> {
  const handle = client.workflow.getHandle(videoWorkflowId(videoId))
  const events = (await handle.fetchHistory()).events ?? []
  const byId = new Map(events.map((event) => [Number(event.eventId), event]))
  let sample: EncodeChunkInput | undefined
  const encodes = events.flatMap((event): PastEncode[] => {
    const completed = event.activityTaskCompletedEventAttributes
    if (!completed) return []
    const scheduled = byId.get(Number(completed.scheduledEventId))
    const started = byId.get(Number(completed.startedEventId))
    const what = inputOf(scheduled)
    if (!what || !started) return []
    if ('index' in what) sample = what
    const { attempt, identity } = started.activityTaskStartedEventAttributes ?? {}
    return [
      {
        ...workOf(what),
        attempt: attempt ?? 1,
        worker: identity ?? '',
        startedMs: timeMs(started),
        endedMs: timeMs(event),
      },
    ]
  })
  if (!sample) throw new Error('the video has no chunk')
  return { encodes, sample }
}

const CHUNK_ENCODES = ['encodeChunk', 'encodeNextChunk', 'encodeNextPart', 'encodeLaterChunk']

/** Whether an activity of this name encodes a chunk of the picture. */
export const isChunkEncode = (name: string | null | undefined): boolean =>
  CHUNK_ENCODES.includes(name ?? '')

type EncodeInput = EncodeChunkInput | EncodeAudioInput

function inputOf(scheduled: HistoryEvent | undefined): EncodeInput | null {
  const { activityType, input } = scheduled?.activityTaskScheduledEventAttributes ?? {}
  const payload = input?.payloads?.[0]
  const name = activityType?.name
  if (!payload || !(isChunkEncode(name) || name === 'encodeAudio')) return null
  const read = defaultPayloadConverter.fromPayload<EncodeInput | EncodeNextChunkInput>(payload)
  // Without viewers, chunks of the first rung are encoded in their order; others are about as long as that of their number.
  return 'ticket' in read ? { ...read, index: read.ticket } : read
}

function workOf(input: EncodeInput): Pick<PastEncode, 'kind' | 'videoSeconds'> {
  if (!('index' in input))
    return { kind: 'audio', videoSeconds: (input.facts.durationMs ?? 0) / 1000 }
  const { picture, plan, index, isFirst } = input
  const { frameRate } = picture.video
  const rate = framesPerSecond(frameRate)
  const { startFrame, endFrame } = planChunk(plan, frameRate, index)
  const endSeconds = endFrame === null ? (picture.durationMs ?? 0) / 1000 : endFrame / rate
  return { kind: isFirst ? 'first' : 'later', videoSeconds: endSeconds - startFrame / rate }
}

const timeMs = ({ eventTime }: HistoryEvent): number =>
  Number(eventTime?.seconds ?? 0) * 1000 + Number(eventTime?.nanos ?? 0) / 1e6
