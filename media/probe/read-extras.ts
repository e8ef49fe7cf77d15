import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { SourceChapter } from '../../domain/ingest/source-chapters.ts'
import { sourceLine } from '../../domain/ingest/source-text.ts'
import { canonicalLanguage } from '../../domain/language-tag.ts'
import { CAPTION_MAX_BYTES, LABEL_MAX_LENGTH } from '../../domain/limits.ts'
import { inputArguments, runFfmpeg } from '../ffmpeg.ts'
import { MediaError } from '../media-error.ts'
import { runTool, withoutFraction, type MediaWork } from '../run-tool.ts'

/** A text subtitle track of a file. */
interface SourceCaption {
  /** BCP 47 in its canonical case; `und` if the file states no language. */
  languageCode: string
  label: string
  /** WebVTT. */
  content: string
}

export interface SourceExtras {
  chapters: SourceChapter[]
  captions: SourceCaption[]
  /** Tracks that consist of pictures, repeat a language, are empty or cannot be read. */
  subtitlesDropped: number
}

const seconds = z.coerce.number().catch(0)
const tags = z.record(z.string(), z.string()).catch({})
const extrasSchema = z.object({
  streams: z
    .array(
      z.object({
        index: z.number(),
        codec_name: z.string().catch('unknown'),
        disposition: z.object({ forced: z.number().catch(0) }).catch({ forced: 0 }),
        tags,
      }),
    )
    .catch([]),
  chapters: z.array(z.object({ start_time: seconds, end_time: seconds, tags })).catch([]),
})

type Track = z.infer<typeof extrasSchema>['streams'][number]

const TEXT_CODECS = ['subrip', 'ass', 'ssa', 'mov_text', 'webvtt', 'text']

/**
 * Reads the chapters and the text subtitles of a file. Of several tracks of one language the first counts that is not
 * only for forced subtitles. A track that cannot be read is left out. Throws as
 * `runTool` does, and MediaError `tool_failed`.
 */
export async function readExtras(
  path: string,
  outputDir: string,
  work: MediaWork,
): Promise<SourceExtras> {
  const wanted = ['-v', 'error', '-print_format', 'json', '-show_chapters', '-show_streams']
  const args = [...wanted, '-select_streams', 's', ...inputArguments(path)]
  const { exitCode, stdout } = await runTool('ffprobe', args, work)
  if (exitCode !== 0)
    throw new MediaError('tool_failed', 'The chapters and subtitles of the file cannot be read.')
  const { streams, chapters } = extrasSchema.parse(JSON.parse(stdout))
  const captions = await extract(path, firstOfLanguages(streams), outputDir, work)
  return {
    chapters: chapters.map(({ start_time, end_time, tags: { title = '' } }) => ({
      startMs: start_time * 1000,
      endMs: end_time * 1000,
      title: sourceLine(title, LABEL_MAX_LENGTH),
    })),
    captions,
    subtitlesDropped: streams.length - captions.length,
  }
}

/** The track of each language. */
function firstOfLanguages(streams: Track[]): Map<string, Track> {
  const chosen = new Map<string, Track>()
  const readable = streams.filter(({ codec_name }) => TEXT_CODECS.includes(codec_name))
  const inOrder = readable.toSorted((a, b) => a.disposition.forced - b.disposition.forced)
  for (const track of inOrder) {
    const languageCode = canonicalLanguage(track.tags.language ?? 'und') ?? 'und'
    if (!chosen.has(languageCode)) chosen.set(languageCode, track)
  }
  return chosen
}

async function extract(
  path: string,
  tracks: Map<string, Track>,
  outputDir: string,
  work: MediaWork,
): Promise<SourceCaption[]> {
  if (tracks.size === 0) return []
  const fileOf = ({ index }: Track): string => join(outputDir, `subtitles-${index}.vtt`)
  const outputs = [...tracks.values()].flatMap((track) => [
    '-map',
    `0:${track.index}`,
    '-c:s',
    'webvtt',
    '-f',
    'webvtt',
    fileOf(track),
  ])
  await runFfmpeg([...inputArguments(path), ...outputs], withoutFraction(work))
  const captions: SourceCaption[] = []
  for (const [languageCode, track] of tracks) {
    const content = await readText(fileOf(track))
    if (content !== null)
      captions.push({ languageCode, label: labelOf(languageCode, track), content })
  }
  return captions
}

/** The text of a file with at least one cue; null if there is none, or if it is too large for a caption. */
async function readText(path: string): Promise<string | null> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size === 0 || size > CAPTION_MAX_BYTES) return null
  const text = (await readFile(path, 'utf8')).replaceAll('\0', '\uFFFD')
  return text.includes('-->') && Buffer.byteLength(text) <= CAPTION_MAX_BYTES ? text : null
}

/** The title of the track, or the name of its language in that language. */
function labelOf(languageCode: string, { tags: { title } }: Track): string {
  const name = new Intl.DisplayNames([languageCode], { type: 'language' }).of(languageCode)
  return sourceLine(title ?? '', LABEL_MAX_LENGTH) || name || languageCode
}
