import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { CAPTIONS_MAX, LABEL_MAX_LENGTH } from '../../../domain/limits.ts'
import { lineText } from '../../../domain/moving/line-text.ts'
import type { ManifestCaption } from '../../../domain/moving/manifest.ts'
import { captionLanguage, isFaulty, parseManifestLine } from '../../../domain/moving/parse-line.ts'
import { readSystemError } from '../../../processes/system-error.ts'
import { CliError } from '../../errors.ts'
import { lineOf } from './line-of.ts'
import type { ManifestReport, ManifestResult } from './manifest-report.ts'
import { isLeftOut, type FoundVideo, type Service, type ServiceVideo } from './service.ts'
import { SideFileError, type SideFiles } from './side-files.ts'

export interface MakeManifestOptions {
  service: Service
  /** The manifest; an earlier one is replaced once the new one is whole. */
  output: string
  files: SideFiles
  report: ManifestReport
  signal: AbortSignal
}

/** The name of the folder with the captions and pictures of a manifest. */
export const filesFolderOf = (output: string): string =>
  `${basename(output)
    .replace(/\.\w+$/, '')
    .replaceAll(/[^\w-]/g, '-')}-files`

/** Videos whose files are downloaded at the same time. */
const AT_ONCE = 8
/** A list in which so many videos follow each other that were there before has no end. */
const REPEATED_MAX = 1_000

/**
 * Writes a line for each video of a service that can be downloaded. Throws a CliError if the service cannot be read; an earlier manifest then
 * stays as it is. Captions and pictures that are there already are kept, so the same call continues after a kill.
 */
export async function makeManifest(options: MakeManifestOptions): Promise<ManifestResult> {
  const { output } = options
  const temporary = `${output}.${crypto.randomUUID()}.part`
  const file = await openNew(temporary, output)
  try {
    const result = await writeLines(options, file)
    await file.sync()
    await file.close()
    await rename(temporary, output)
    return result
  } finally {
    await file.close()
    await rm(temporary, { force: true })
  }
}

/** Only for this user: signed links are in it. */
async function openNew(path: string, output: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (readSystemError(error).code !== 'ENOENT') throw error
    throw new CliError(`The folder of ${output} does not exist.`, { param: '--output' })
  }
}

async function writeLines(options: MakeManifestOptions, file: FileHandle): Promise<ManifestResult> {
  const { service, report, signal } = options
  const result: ManifestResult = { lines: 0, leftOut: 0, incomplete: 0, expiresAt: null }
  for await (const videos of groupsOf(onceEach(service))) {
    signal.throwIfAborted()
    for (const { video, line, problems } of await Promise.all(
      videos.map((one) => describeVideo(options, one)),
    )) {
      if (line === null) result.leftOut += 1
      else {
        await file.appendFile(`${line}\n`)
        result.lines += 1
        if (problems.length > 0) result.incomplete += 1
        result.expiresAt = earlier(result.expiresAt, isLeftOut(video) ? null : video.expiresAt)
      }
      if (problems.length > 0) report.problem(video, line !== null, problems)
    }
    report.progress(result)
  }
  return result
}

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one

/** Lists that grow while they are read have a video on two pages. */
async function* onceEach({ title, videos }: Service): AsyncGenerator<FoundVideo> {
  const seen = new Set<string>()
  let repeated = 0
  for await (const video of videos()) {
    repeated = video.id !== '' && seen.has(video.id) ? repeated + 1 : 0
    if (repeated > REPEATED_MAX)
      throw new CliError(`${title} lists the same videos again and again.`, {
        code: 'unexpected_response',
      })
    if (repeated > 0) continue
    seen.add(video.id)
    yield video
  }
}

async function* groupsOf(videos: AsyncIterable<FoundVideo>): AsyncGenerator<FoundVideo[]> {
  let group: FoundVideo[] = []
  for await (const video of videos) {
    group.push(video)
    if (group.length < AT_ONCE) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

interface DescribedVideo {
  video: FoundVideo
  /** Null if the video is left out. */
  line: string | null
  problems: string[]
}

async function describeVideo(
  { service, files }: MakeManifestOptions,
  video: FoundVideo,
): Promise<DescribedVideo> {
  if (isLeftOut(video)) return { video, line: null, problems: [video.reason] }
  const problems = [...video.problems]
  const note = (problem: string): void => void problems.push(problem)
  const captions = await captionsOf(files, video, note)
  const poster = await posterOf(files, video, note)
  const line = lineText(lineOf(service.name, video, { captions, poster }, note))
  // Every line that is written can be read: a link may be too long, for example.
  const parsed = parseManifestLine(line)
  if (!isFaulty(parsed)) return { video, line, problems }
  // The others follow from the first one.
  const faults = parsed.slice(0, 1)
  return {
    video,
    line: null,
    problems: faults.map(({ field, message }) => `Its ${field || 'line'} ${message}.`),
  }
}

/** One for each language, the first of a list. */
async function captionsOf(
  files: SideFiles,
  { id, captions }: ServiceVideo,
  note: (problem: string) => void,
): Promise<ManifestCaption[]> {
  const kept = new Map<string, ManifestCaption>()
  for (const { language: tag, label, isDefault, file } of captions) {
    const language = captionLanguage(tag)
    if (language === null || language.length > 35)
      note(`A caption has no language tag: ${tag.slice(0, 50)}.`)
    else if (kept.has(language)) note(`It has two captions of ${language}: the first is kept.`)
    else if (kept.size === CAPTIONS_MAX) note(`More than ${CAPTIONS_MAX} captions are not kept.`)
    else
      await noted(`The caption ${language}`, note, async () => {
        const path = await files.caption(id, language, file)
        kept.set(language, { path, language, label: labelOf(label, language), isDefault })
      })
  }
  return [...kept.values()]
}

function labelOf(label: string | null, language: string): string {
  const text = (label ?? '').toWellFormed().replaceAll('\0', '').trim()
  return Array.from(text).slice(0, LABEL_MAX_LENGTH).join('') || language
}

async function posterOf(
  files: SideFiles,
  { id, poster }: ServiceVideo,
  note: (problem: string) => void,
): Promise<string | null> {
  let path: string | null = null
  if (poster !== null)
    await noted('The poster', note, async () => void (path = await files.poster(id, poster)))
  return path
}

async function noted(
  what: string,
  note: (problem: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof SideFileError)) throw error
    note(`${what} is missing. ${error.message}`)
  }
}
