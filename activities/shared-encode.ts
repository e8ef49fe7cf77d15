import { WHOLE_FILM } from '../domain/chunks.ts'
import type { Rung } from '../domain/ladder.ts'
import type { SourceFacts } from '../domain/source-facts.ts'
import { encodeChunk } from '../media/encode-chunk.ts'
import type { EncodeChunkOptions } from '../media/encode-chunk.ts'
import type { MediaWork } from '../media/run-tool.ts'

export interface EncodeRequest extends MediaWork {
  sourcePath: string
  facts: SourceFacts
  rung: Rung
  outputPath: string
  /** True for the rung that makes its video playable. */
  isUrgent: boolean
}

interface Member extends EncodeRequest {
  resolve: () => void
  reject: (error: unknown) => void
}

/** How long the first rung of a batch waits for the others, which one workflow task schedules together. */
const GATHER_MS = 40

/** Rungs of one source. */
type Batch = Member[]

/** The running and the waiting batches of one kind, urgent or other. */
interface Lane {
  waiting: Batch[]
  running: number
}

/**
 * Encodes rungs of one source together if their activities run on this machine at the same time, because
 * decoding a source costs about as much as encoding its lowest rung, and a batch decodes once. Each activity
 * still waits for its own file and is retried and cancelled separately; the batch is killed when its last
 * member has left. At most `processes` encoders run at the same time, plus as many urgent ones, which have
 * priority for the processor and never wait for a long video. A waiting batch accepts further rungs.
 */
export function createSharedEncode(processes: number): (request: EncodeRequest) => Promise<void> {
  const urgent: Lane = { waiting: [], running: 0 }
  const others: Lane = { waiting: [], running: 0 }
  const startNext = (lane: Lane): void => {
    if (lane.running >= processes) return
    const batch = lane.waiting.shift()
    if (!batch) return
    lane.running += 1
    reportWaiting(lane)
    void run(batch, {
      isBackground: lane === others,
      onProgress: () => reportWaiting(lane),
    }).finally(() => {
      lane.running -= 1
      startNext(lane)
    })
  }
  return (request) =>
    new Promise<void>((resolve, reject) => {
      const member: Member = { ...request, resolve, reject }
      const lane = request.isUrgent ? urgent : others
      const open = lane.waiting.find(([first]) => first?.sourcePath === request.sourcePath)
      if (open) {
        open.push(member)
        return
      }
      lane.waiting.push([member])
      if (request.isUrgent) startNext(lane)
      else setTimeout(() => startNext(lane), GATHER_MS)
    })
}

/** Reports progress for waiting members, as long as the running encoder makes progress. */
function reportWaiting({ waiting }: Lane): void {
  for (const { onProgress } of waiting.flat()) onProgress?.()
}

interface RunOptions {
  isBackground: boolean
  onProgress: () => void
}

async function run(batch: Batch, { isBackground, onProgress }: RunOptions): Promise<void> {
  const members = batch.filter(leaveIfAborted)
  if (members.length === 0) return
  const signal = allAborted(members)
  try {
    await encodeChunk({ ...optionsOf(members, signal, onProgress), isBackground })
    for (const { resolve } of members) resolve()
  } catch (error) {
    for (const { reject } of members) reject(error)
  }
}

function optionsOf(
  members: Member[],
  signal: AbortSignal,
  onAnyProgress: () => void,
): EncodeChunkOptions {
  const [first] = members
  if (!first) throw new Error('a batch has at least one rung')
  return {
    sourcePath: first.sourcePath,
    facts: first.facts,
    chunk: WHOLE_FILM,
    isOnly: true,
    outputs: members.map(({ rung, outputPath }) => ({ rung, outputPath })),
    signal,
    stallMs: first.stallMs,
    onProgress: (fraction) => {
      for (const { onProgress } of members) onProgress?.(fraction)
      onAnyProgress()
    },
  }
}

function leaveIfAborted(member: Member): boolean {
  if (!member.signal.aborted) return true
  member.reject(member.signal.reason)
  return false
}

/** Aborts when every member has aborted; rejects a member that leaves early immediately. */
function allAborted(members: Member[]): AbortSignal {
  const controller = new AbortController()
  let left = members.length
  for (const { signal, reject } of members)
    signal.addEventListener('abort', () => {
      left -= 1
      if (left === 0) controller.abort()
      reject(signal.reason)
    })
  return controller.signal
}
