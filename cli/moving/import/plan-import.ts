import { join } from 'node:path'
import { formatBytes } from '../../../domain/format-bytes.ts'
import {
  CORE_SECONDS_OF_720P,
  costOf,
  guessedVideo,
  type MovingCost,
} from '../../../domain/moving/estimate.ts'
import type { ManifestLine } from '../../../domain/moving/manifest.ts'
import { checkLines } from './check-lines.ts'
import type { Journal } from './journal.ts'
import { measureVideo } from './measure-video.ts'
import type { Library } from './read-lines.ts'

/** What an import would do. */
export interface ImportPlan extends MovingCost {
  lines: number
  /** Lines whose video the journal knows. */
  alreadyImported: number
  /** Of the videos that would be sent. */
  bytes: number
  /** Videos whose length ffprobe has read; the others are guessed by their size. */
  measured: number
  /** Videos from links, whose sizes are not known. */
  links: number
}

/** ffprobe takes a tenth of a second for each. */
const PROBED_MAX = 500

/** Checks every line, and estimates what the videos would take that the journal does not know. Sends nothing. */
export async function planImport(
  library: Library,
  journal: Journal,
  signal: AbortSignal,
): Promise<ImportPlan> {
  const plan: ImportPlan = {
    lines: 0,
    alreadyImported: 0,
    bytes: 0,
    measured: 0,
    links: 0,
    seconds: 0,
    ladderBytes: 0,
    coreSeconds: 0,
  }
  let probesLeft = PROBED_MAX
  const add = async (line: ManifestLine, sizeBytes: number): Promise<void> => {
    plan.lines += 1
    if (isImported(journal, line)) {
      plan.alreadyImported += 1
      return
    }
    if (line.source.kind !== 'path') {
      plan.links += 1
      return
    }
    plan.bytes += sizeBytes
    const path = join(library.base, line.source.path)
    const probed = probesLeft > 0 ? await measureVideo(path, signal) : null
    probesLeft = probed === 'no-ffprobe' ? 0 : probesLeft - 1
    const measured = probed === 'no-ffprobe' ? null : probed
    if (measured !== null) plan.measured += 1
    const cost = costOf(measured ?? guessedVideo(sizeBytes))
    plan.seconds += cost.seconds
    plan.ladderBytes += cost.ladderBytes
    plan.coreSeconds += cost.coreSeconds
  }
  await checkLines(library, add)
  return plan
}

const isImported = (journal: Journal, { externalId }: ManifestLine): boolean =>
  externalId !== null && (journal.entry(externalId)?.videoId ?? null) !== null

/** The plan as the operator reads it, with what the estimate rests on. */
export function planText(plan: ImportPlan): string {
  const { lines, alreadyImported, bytes, measured, links, seconds, ladderBytes, coreSeconds } = plan
  const sent = lines - alreadyImported - links
  const guessed = sent - measured
  return [
    `${lines} lines are right. ${alreadyImported} are imported already, by the journal.`,
    `${sent} would be sent: ${formatBytes(bytes)}, ${hours(seconds)} of video.`,
    ...(links === 0
      ? []
      : [
          `${links} are links, which the service fetches itself: what they take is not known, and not in the estimate.`,
        ]),
    `Storage: at most ${formatBytes(ladderBytes)} for the renditions, and ${formatBytes(bytes)} more if originals are kept.`,
    `Encoding: about ${hours(coreSeconds)} of one core.`,
    `Basis: the lengths of ${measured} files by ffprobe; ${guessed} guessed as 1080p at 5 Mbit/s. Storage by the peak rates of all resolutions,`,
    `which a video seldom has throughout; encoding by ${CORE_SECONDS_OF_720P} core-seconds for a second of 720p, measured on 2 × AMD EPYC, and by the pixels.`,
  ].join('\n')
}

const hours = (seconds: number): string =>
  seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`

/** The plan for programs. */
export const planRecord = (plan: ImportPlan) => ({
  object: 'import_plan',
  lines: plan.lines,
  already_imported: plan.alreadyImported,
  size_bytes: plan.bytes,
  duration: Math.round(plan.seconds),
  measured: plan.measured,
  links: plan.links,
  rendition_bytes_max: plan.ladderBytes,
  core_seconds: Math.round(plan.coreSeconds),
})
