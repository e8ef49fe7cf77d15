import { z } from 'zod'
import type { Video } from '../../db/entities/video.ts'
import { embedUrl } from '../../domain/playback/embed-url.ts'
import type { SnippetPart } from '../../domain/search/moments.ts'
import { listSchema } from '../list.ts'
import { posterUrl, TITLE_EXAMPLE, videoId, videoStatus } from '../videos/video.ts'

const MS_PER_SECOND = 1000

const seconds = (description: string, example: number) => z.number().meta({ description, example })

const snippetPart = z
  .strictObject({
    text: z.string(),
    is_match: z.boolean().meta({ description: 'Whether it is what was sought.' }),
  })
  .meta({ id: 'SnippetPart' })

/** A moment at which something is said (ADR 0073). */
export const searchResultSchema = z
  .strictObject({
    object: z.literal('search_result'),
    video: z
      .strictObject({
        id: videoId,
        title: z.string().meta({ example: TITLE_EXAMPLE }),
        status: videoStatus,
        external_id: z.string().nullable(),
        duration: z.number().nullable().meta({ description: 'Seconds; null until known.' }),
        poster_url: z.url().nullable(),
      })
      .meta({ id: 'SearchedVideo' }),
    caption: z
      .strictObject({
        language_code: z.string().meta({ description: 'BCP 47.', example: 'en' }),
        label: z.string().meta({ example: 'English' }),
      })
      .meta({ id: 'SearchedCaption' }),
    start_seconds: seconds('Where the cue begins that has the first match.', 61.5),
    end_seconds: seconds('Where the cue ends that has the last match.', 64.2),
    snippet: z.array(snippetPart).meta({
      description:
        'What is said there. The texts of the parts together are the snippet: plain text, in which `<` is a character.',
      example: [
        { text: 'The light is turned into ', is_match: false },
        { text: 'energy', is_match: true },
      ],
    }),
    embed_url: z.url().meta({
      description:
        'The embed page with this caption, from this moment on. Add `vt` if it needs a viewer token.',
      example: 'https://play.example.com/3f1c9a7be04d5628c1d0/MQ%3D%3D?start=61.5&captions=en',
    }),
  })
  .meta({ id: 'SearchResult' })

export const searchResultListSchema = listSchema(searchResultSchema).meta({
  id: 'SearchResultList',
})

interface Result extends Pick<
  Video,
  'title' | 'status' | 'externalId' | 'durationMs' | 'hasPoster' | 'posterVersion'
> {
  videoId: string
  languageCode: string
  label: string
  startMs: number
  endMs: number
  snippet: readonly SnippetPart[]
}

/** The search result object. `embedBase` has no slash at its end. */
export function searchResultView(
  result: Result,
  accountId: number,
  embedBase: string,
): z.output<typeof searchResultSchema> {
  const { videoId: id, languageCode, durationMs } = result
  const start = result.startMs / MS_PER_SECOND
  const options = new URLSearchParams({ start: String(start), captions: languageCode })
  return {
    object: 'search_result',
    video: {
      id,
      title: result.title,
      status: result.status,
      external_id: result.externalId,
      duration: durationMs === null ? null : durationMs / MS_PER_SECOND,
      poster_url: posterUrl({ ...result, id }, embedBase),
    },
    caption: { language_code: languageCode, label: result.label },
    start_seconds: start,
    end_seconds: result.endMs / MS_PER_SECOND,
    snippet: result.snippet.map(({ text, isMatch }) => ({ text, is_match: isMatch })),
    embed_url: `${embedUrl(embedBase, id, accountId)}?${options.toString()}`,
  }
}
