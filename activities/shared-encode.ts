import type { Rung } from '../domain/ladder.ts'
import { encodeRungs } from '../media/encode-rungs.ts'
import type { EncodeRungsOptions } from '../media/encode-rungs.ts'
import type { SourceFacts } from '../media/probe-source.ts'

export interface EncodeRequest {
  sourcePath: string
  facts: SourceFacts
  rung: Rung
  outputPath: string
  signal: AbortSignal
  onProgress: (fraction: number) => void
}

interface Member extends EncodeRequest {
  resolve: () => void
  reject: (error: unknown) => void
}

/** How long the first rung of a batch waits for others; they are scheduled in one workflow task. */
const GATHER_MS = 150

/**
 * Encodes rungs of one source together where their activities run on this machine at the same time:
 * decoding a film costs about as much as encoding its lowest rung, and is paid once a batch. Each
 * activity still waits for its own file, is retried and is cancelled by itself: the batch dies when
 * its last member has left it, and one that fails is tried again rung by rung.
 */
export function createSharedEncode(): (request: EncodeRequest) => Promise<void> {
  const gathering = new Map<string, Member[]>()
  return (request) =>
    new Promise<void>((resolve, reject) => {
      const member: Member = { ...request, resolve, reject }
      const waiting = gathering.get(request.sourcePath)
      if (waiting) {
        waiting.push(member)
        return
      }
      const batch = [member]
      gathering.set(request.sourcePath, batch)
      setTimeout(() => {
        gathering.delete(request.sourcePath)
        void run(batch)
      }, GATHER_MS)
    })
}

async function run(batch: Member[]): Promise<void> {
  const members = batch.filter(leaveIfAborted)
  if (members.length === 0) return
  const signal = allAborted(members)
  try {
    await encodeRungs(optionsOf(members, signal))
    for (const { resolve } of members) resolve()
  } catch (error) {
    for (const { reject } of members) reject(error)
  }
}

function optionsOf(members: Member[], signal: AbortSignal): EncodeRungsOptions {
  const [first] = members
  if (!first) throw new Error('a batch has at least one rung')
  return {
    sourcePath: first.sourcePath,
    facts: first.facts,
    outputs: members.map(({ rung, outputPath }) => ({ rung, outputPath })),
    signal,
    onProgress: (fraction) => {
      for (const { onProgress } of members) onProgress(fraction)
    },
  }
}

function leaveIfAborted(member: Member): boolean {
  if (!member.signal.aborted) return true
  member.reject(member.signal.reason)
  return false
}

/** Aborts when every member has; a member that leaves early is told at once. */
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
