import { join } from 'node:path'
import { formatBytes } from '../../../domain/format-bytes.ts'
import {
  CORE_SECONDS_OF_720P,
  costOf,
  guessedVideo,
  type MeasuredVideo,
  type MovingCost,
} from '../../../domain/moving/estimate.ts'
import type { ManifestLine } from '../../../domain/moving/manifest.ts'
import { checkLines } from './check-lines.ts'
import type { Journal } from './journal.ts'
import { measureVideo } from './measure-video.ts'
import type { Library } from './read-lines.ts'
import { externalIdOf } from './source-kinds.ts'

/** What an import would do. */
export interface ImportPlan extends MovingCost {
  lines: number
  /** Lines whose video the journal knows. */
  alreadyImported: number
  /** Of the videos that would be sent, and of the objects that were listed. */
  bytes: number
  /** Of the objects alone. */
  objectBytes: number
  /** Videos whose length ffprobe has read; the others are guessed by their size. */
  measured: number
  /** Videos from links. */
  links: number
  /** Videos from objects of a bucket. */
  objects: number
  /** Videos from links and objects whose sizes are not known, and so are not in the sums. */
  unsized: number
  /** Files that belong to videos and would not be imported. */
  leftOut: number
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
    objectBytes: 0,
    measured: 0,
    links: 0,
    objects: 0,
    unsized: 0,
    leftOut: library.leftOut,
    seconds: 0,
    ladderBytes: 0,
    coreSeconds: 0,
  }
  const measure = limitedMeasure(library, signal)
  await checkLines(library, async (line, sizeBytes) => {
    plan.lines += 1
    if (isImported(journal, line, library)) plan.alreadyImported += 1
    else addVideo(plan, line, sizeBytes, await measure(line))
  })
  return plan
}

/** Reads the lengths of the first files; of others, nothing is known. */
function limitedMeasure({ base }: Library, signal: AbortSignal) {
  let probesLeft = PROBED_MAX
  return async ({ source }: ManifestLine): Promise<MeasuredVideo | null> => {
    if (source.kind !== 'path' || probesLeft === 0) return null
    const probed = await measureVideo(join(base, source.path), signal)
    probesLeft = probed === 'no-ffprobe' ? 0 : probesLeft - 1
    return probed === 'no-ffprobe' ? null : probed
  }
}

function addVideo(
  plan: ImportPlan,
  { source }: ManifestLine,
  sizeBytes: number | null,
  measured: MeasuredVideo | null,
): void {
  if (source.kind === 'link') plan.links += 1
  if (source.kind === 'key') plan.objects += 1
  if (sizeBytes === null) {
    plan.unsized += 1
    return
  }
  plan.bytes += sizeBytes
  if (source.kind === 'key') plan.objectBytes += sizeBytes
  if (measured !== null) plan.measured += 1
  const cost = costOf(measured ?? guessedVideo(sizeBytes))
  plan.seconds += cost.seconds
  plan.ladderBytes += cost.ladderBytes
  plan.coreSeconds += cost.coreSeconds
}

function isImported(journal: Journal, line: ManifestLine, { bucket }: Library): boolean {
  const externalId = externalIdOf(line, bucket?.place ?? null)
  return externalId !== null && (journal.entry(externalId)?.videoId ?? null) !== null
}

/** The plan as the operator reads it, with what the estimate rests on. */
export function planText(plan: ImportPlan): string {
  const { lines, alreadyImported, bytes, measured, unsized, seconds } = plan
  const guessed = lines - alreadyImported - unsized - measured
  return [
    `${lines} lines are right. ${alreadyImported} are imported already, by the journal.`,
    ...sourceTexts(plan),
    `Storage: at most ${formatBytes(plan.ladderBytes)} for the renditions, and ${formatBytes(bytes)} more if originals are kept.`,
    `Encoding: about ${hours(plan.coreSeconds)} of one core, for ${hours(seconds)} of video.`,
    `Basis: the lengths of ${measured} files by ffprobe; ${guessed} guessed as 1080p at 5 Mbit/s. Storage by the peak rates of all resolutions,`,
    `which a video seldom has throughout; encoding by ${CORE_SECONDS_OF_720P} core-seconds for a second of 720p, measured on 2 × AMD EPYC, and by the pixels.`,
  ].join('\n')
}

function sourceTexts(plan: ImportPlan): string[] {
  const { links, objects, unsized, leftOut } = plan
  const sent = plan.lines - plan.alreadyImported - links - objects
  const of = (bytes: number): string => (bytes === 0 ? '' : `: ${formatBytes(bytes)}`)
  return [
    `${sent} would be sent${of(plan.bytes - plan.objectBytes)}.`,
    ...(links === 0 ? [] : [`${links} are links, which the service fetches itself.`]),
    ...(objects === 0
      ? []
      : [`${objects} are objects, which the service fetches itself${of(plan.objectBytes)}.`]),
    ...(unsized === 0
      ? []
      : [`Of ${unsized} of them the size is not known, and not in the estimate.`]),
    ...(leftOut === 0 ? [] : [leftOutText(leftOut)]),
  ]
}

/** Says what of a bucket is not imported. */
export const leftOutText = (count: number): string =>
  `${count} captions, lists of chapters and pictures beside the objects are left out: a manifest takes them from its own folder.`

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
  objects: plan.objects,
  left_out: plan.leftOut,
  rendition_bytes_max: plan.ladderBytes,
  core_seconds: Math.round(plan.coreSeconds),
})
