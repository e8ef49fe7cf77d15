import { formatBytes } from '../../../domain/format-bytes.ts'
import type { LineSource, ManifestLine } from '../../../domain/moving/manifest.ts'
import { speedMeter } from '../../../domain/uploads/speed-meter.ts'
import { printable, type Output } from '../../output.ts'
import type { CheckedLibrary } from './check-lines.ts'
import type { Redirect } from './redirect-lines.ts'
import type { Outcome } from './run.ts'

/** How many lines ended how. */
type Counts = Record<Outcome['state'], number>

/** The output of an import, and what its files are written from. */
export interface ImportReport {
  sent: (line: number, bytes: number) => void
  waiting: (reason: string, waitMs: number) => void
  end: (number: number, line: ManifestLine, outcome: Outcome) => void
  counts: Counts
  /** The lines of the report, by the number of the line of the manifest. */
  lines: () => Generator<string>
  redirects: () => Generator<Redirect>
}

interface Kept {
  text: string
  redirect: Redirect | null
}

const FRAME_MS = 100

/** Creates the report of an import. */
export function createImportReport(out: Output, { lines, bytes }: CheckedLibrary): ImportReport {
  const counts: Counts = { imported: 0, present: 0, failed: 0, interrupted: 0 }
  const kept = new Map<number, Kept>()
  const active = new Map<number, number>()
  let endedBytes = 0
  let drawnAtMs = 0
  const measure = speedMeter()
  const draw = (): void => {
    const atMs = performance.now()
    if (atMs - drawnAtMs < FRAME_MS) return
    drawnAtMs = atMs
    const sentBytes = [...active.values()].reduce((sum, one) => sum + one, endedBytes)
    const speed = measure(sentBytes, atMs)
    const pace = speed === null ? '' : `  ${formatBytes(Math.round(speed))}/s`
    out.draw(`${kept.size}/${lines}  ${formatBytes(sentBytes)} of ${formatBytes(bytes)}${pace}`)
  }
  return {
    counts,
    sent(line, sentBytes) {
      active.set(line, sentBytes)
      draw()
    },
    waiting(reason, waitMs) {
      out.note(`${reason} Trying again in ${Math.ceil(waitMs / 1_000)} s.`)
    },
    end(number, line, outcome) {
      endedBytes += active.get(number) ?? 0
      active.delete(number)
      counts[outcome.state] += 1
      const record = recordOf(number, line, outcome)
      const { oldUrl } = line
      const { videoId } = outcome
      const redirect = oldUrl === null || videoId === null ? null : { oldUrl, videoId }
      kept.set(number, { text: `${JSON.stringify(record)}\n`, redirect })
      out.print({ object: 'imported_line', ...record }, textOf(number, outcome))
    },
    *lines() {
      for (const [, { text }] of inOrder(kept)) yield text
    },
    *redirects() {
      for (const [, { redirect }] of inOrder(kept)) if (redirect) yield redirect
    },
  }
}

const inOrder = (kept: Map<number, Kept>): [number, Kept][] =>
  [...kept].toSorted(([one], [other]) => one - other)

/** The path of a file or the key of an object; a link may be a secret. */
function placeOf(source: LineSource): string | null {
  switch (source.kind) {
    case 'path':
      return source.path
    case 'key':
      return source.key
    case 'link':
      return null
  }
}

const recordOf = (
  number: number,
  { source }: ManifestLine,
  { state, externalId, videoId, sha256, reason }: Outcome,
) => ({
  line: number,
  path: placeOf(source),
  external_id: externalId,
  video_id: videoId,
  sha256,
  state,
  reason,
})

function textOf(number: number, { state, videoId, externalId, reason }: Outcome): string {
  const video = videoId === null ? '' : `, video ${videoId}`
  const why = reason === null ? '' : `: ${reason.message}`
  return printable(`line ${number}: ${state}${video}${externalId ? ` (${externalId})` : ''}${why}`)
}
