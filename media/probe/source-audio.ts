import { mainFirst, purposeOf, type AudioMarks } from '../../domain/encoding/audio-purpose.ts'
import type { SourceAudio } from '../../domain/ingest/source-facts.ts'
import { sourceLine, TRACK_TITLE_MAX_LENGTH } from '../../domain/ingest/source-text.ts'
import { canonicalLanguage } from '../../domain/language-tag.ts'

/** What ffprobe states of a stream with audio. */
interface AudioStream {
  index: number
  codec_name: string
  channels: number
  sample_rate: number
  disposition: AudioMarks
  tags: Partial<Record<string, string>>
}

/** Reads streams with audio as tracks, the main one first. */
export function audioOf(streams: readonly AudioStream[]): SourceAudio[] {
  const tracks = streams.map((stream) => ({
    stream,
    marks: stream.disposition,
    title: sourceLine(titleOf(stream) ?? '', TRACK_TITLE_MAX_LENGTH) || null,
  }))
  return mainFirst(tracks).map(({ stream, marks, title }) => {
    const purpose = purposeOf(marks, title)
    return {
      index: stream.index,
      codec: stream.codec_name,
      channels: stream.channels,
      sampleRate: stream.sample_rate,
      language: languageOf(stream.tags.language),
      title,
      ...(purpose && { purpose }),
    }
  })
}

/** MP4 has names of handlers in place of titles; those that muxers write by themselves say nothing. */
function titleOf({ tags: { title, handler_name: handler } }: AudioStream): string | undefined {
  const isWritten =
    handler !== undefined && !/handle|^\W*$|apple|^core media|muxer|\bISO\b/i.test(handler)
  return title ?? (isWritten ? handler : undefined)
}

/** BCP 47 in its canonical form: `en` for `eng`; null if the file states no language. */
function languageOf(tag: string | undefined): string | null {
  if (tag === undefined || tag === 'und' || !/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag))
    return null
  return canonicalLanguage(tag)
}
