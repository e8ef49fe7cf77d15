import { z } from 'zod'
import { CAPTIONS_MAX, CHAPTERS_MAX } from '../../../domain/limits.ts'
import { CliError } from '../../errors.ts'
import { maybe, maybeNumber, maybeText, ofOneVideo, readRecord } from './read-record.ts'
import type { ServiceClient } from './service-client.ts'
import {
  isLeftOut,
  type FoundVideo,
  type Service,
  type ServiceCaption,
  type ServiceChapter,
} from './service.ts'

export const VIMEO_API = 'https://api.vimeo.com'

/** The version that the documents describe (developer.vimeo.com, "Versioning"). */
export const vimeoHeaders = (token: string): Record<string, string> => ({
  authorization: `bearer ${token}`,
  accept: 'application/vnd.vimeo.*+json;version=3.4',
})

/** A page of more is refused (api.yaml of github.com/vimeo/openapi, `per_page`). */
const PAGE_SIZE = 100

/** Only these are sent: requests that name fields may be more frequent (help.vimeo.com, "API Best Practices"). */
const FIELDS = [
  'uri',
  'name',
  'description',
  'created_time',
  'duration',
  'language',
  'license',
  'link',
  'player_embed_url',
  'privacy.view',
  'parent_folder.name',
  'tags.name',
  'pictures.type',
  'pictures.sizes',
  'download',
  'metadata.connections.texttracks.total',
].join(',')

/** What the links to files need (help.vimeo.com, "About video file download links from the API"). */
const SCOPES = ['public', 'private', 'video_files']
/** A link lives so long (same article), if it does not say. */
const LINK_MS = 24 * 3_600_000
/** A larger picture brings nothing to a poster. */
const POSTER_MAX_WIDTH = 1_920
/** Of captions that Vimeo has made from speech. */
const OF_SPEECH = /-x-autogen$/i

const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    paging: z.object({ next: maybeText }).nullish(),
  })

const fileSchema = z.object({
  link: z.string(),
  quality: maybeText,
  rendition: maybeText,
  height: maybeNumber,
  size: maybeNumber,
  expires: maybeText,
})

const videoSchema = z.object({
  uri: z.string().regex(/^\/videos\/\d{1,20}(:\w{1,64})?$/),
  name: maybeText,
  description: maybeText,
  created_time: maybeText,
  duration: maybeNumber,
  language: maybeText,
  license: maybeText,
  link: maybeText,
  player_embed_url: maybeText,
  privacy: maybe(z.object({ view: maybeText })),
  parent_folder: maybe(z.object({ name: maybeText })),
  tags: maybe(z.array(z.object({ name: maybeText }))),
  pictures: maybe(
    z.object({
      type: maybeText,
      sizes: maybe(z.array(z.object({ width: z.number(), link: z.string() }))),
    }),
  ),
  download: maybe(z.array(fileSchema)),
  metadata: maybe(
    z.object({
      connections: maybe(z.object({ texttracks: maybe(z.object({ total: z.number() })) })),
    }),
  ),
})
type Video = z.infer<typeof videoSchema>

const textTrackSchema = z.object({
  active: z.boolean(),
  language: maybeText,
  name: maybeText,
  type: maybeText,
  link: z.string(),
})
const chapterSchema = z.object({ title: z.string(), timecode: z.number() })

/** Reads the videos of the account that a token is for. `client` sends `vimeoHeaders`. */
export function vimeo(client: ServiceClient): Service {
  return {
    name: 'vimeo',
    title: 'Vimeo',
    async *videos() {
      await requireScopes(client)
      // The oldest first: a video that is added meanwhile moves no other to another page.
      let path: string | null =
        `/me/videos?per_page=${PAGE_SIZE}&sort=date&direction=asc&fields=${FIELDS}`
      while (path !== null) {
        const page: z.infer<typeof pageSchema> = await client.get(path, pageSchema)
        for (const record of page.data) yield await readVideo(client, record)
        path = page.paging?.next ?? null
      }
    },
  }
}

const pageSchema = pageOf(z.unknown())

/** The token says what it may do (api.yaml, `GET /oauth/verify`); without these scopes every video would just have no file. */
async function requireScopes(client: ServiceClient): Promise<void> {
  const { scope } = await client.get('/oauth/verify', z.object({ scope: z.string() }))
  const missing = SCOPES.filter((name) => !scope.split(' ').includes(name))
  if (missing.length === 0) return
  throw new CliError(
    `The token in VIMEO_ACCESS_TOKEN lacks the scope ${missing.join(' and ')}. Make one with public, private and video_files.`,
    { code: 'credentials_refused' },
  )
}

async function readVideo(client: ServiceClient, record: unknown): Promise<FoundVideo> {
  const video = readRecord(videoSchema, record, 'uri')
  if (isLeftOut(video)) return { ...video, id: video.id.replace(/^\/videos\//, '') }
  const id = /\d+/.exec(video.uri)?.[0] ?? ''
  const file = bestFile(video)
  if (file === null)
    return {
      id,
      title: video.name,
      reason:
        'Vimeo gives no link to its file: links need a paid plan, and a video that has been processed.',
    }
  const problems: string[] = []
  const note = (message: string): void => void problems.push(message)
  return {
    id,
    sourceUrl: file.link,
    expiresAt: dateOf(file.expires) ?? new Date(Date.now() + LINK_MS),
    title: video.name,
    description: video.description,
    folder: video.parent_folder?.name ?? null,
    tags: (video.tags ?? []).flatMap(({ name }) => name ?? []),
    metadata: metadataOf(video, file.quality === 'source' ? 'source' : (file.rendition ?? '')),
    createdAt: dateOf(video.created_time),
    oldUrl: video.player_embed_url ?? `https://player.vimeo.com/video/${id}`,
    durationSeconds: video.duration,
    captions: (await ofOneVideo(() => readCaptions(client, id, video), note)) ?? [],
    chapters: (await ofOneVideo(() => readChapters(client, id), note, OF_CHAPTERS)) ?? [],
    poster: posterOf(video),
    sha256: null,
    problems,
  }
}

/** The file that was uploaded, if Vimeo still has it, else the highest one. Playlists are no files. */
function bestFile({ download }: Video): z.infer<typeof fileSchema> | null {
  const files = (download ?? []).filter(({ quality }) => quality !== 'hls' && quality !== 'dash')
  const rank = ({ quality, height, size }: z.infer<typeof fileSchema>): number[] => [
    quality === 'source' ? 1 : 0,
    height ?? 0,
    size ?? 0,
  ]
  return files.toSorted((one, other) => compare(rank(other), rank(one)))[0] ?? null
}

const compare = (one: number[], other: number[]): number =>
  one.map((value, index) => value - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0

const metadataOf = ({ link, language, license, privacy }: Video, file: string) =>
  Object.fromEntries(
    Object.entries({
      vimeo_link: link,
      vimeo_privacy: privacy?.view,
      vimeo_language: language,
      vimeo_license: license,
      vimeo_file: file,
    }).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )

function dateOf(text: string | null): Date | null {
  const date = new Date(text ?? '')
  return Number.isNaN(date.getTime()) ? null : date
}

/** Viewers see the active text tracks alone. Of two of a language, the one that a person made comes first. */
async function readCaptions(
  client: ServiceClient,
  id: string,
  { metadata }: Video,
): Promise<ServiceCaption[]> {
  if (metadata?.connections?.texttracks?.total === 0) return []
  const path = `/videos/${id}/texttracks?per_page=${CAPTIONS_MAX}&fields=active,language,name,type,link`
  const page = await client.find(path, pageOf(textTrackSchema))
  const shown = (page?.data ?? []).filter(
    ({ active, type }) => active && (type === 'captions' || type === 'subtitles'),
  )
  const isOfSpeech = ({ language }: { language: string | null }): boolean =>
    OF_SPEECH.test(language ?? '')
  const made = shown.filter((track) => !isOfSpeech(track))
  const languages = made.map(({ language }) => language)
  const heard = shown
    .filter(isOfSpeech)
    .map((track) => ({ ...track, language: (track.language ?? '').replace(OF_SPEECH, '') }))
    .filter(({ language }) => !languages.includes(language))
  return [...made, ...heard].map(({ language, name, link }) => ({
    language: language ?? '',
    label: name,
    isDefault: false,
    file: { link },
  }))
}

/** What the list of chapters may be refused with: a plan may lack them. */
const OF_CHAPTERS = ['unexpected_response', 'credentials_refused'] as const

/** A time code is in seconds. The list of chapters is not in the stored OpenAPI document of Vimeo; a video without them has none. */
async function readChapters(client: ServiceClient, id: string): Promise<ServiceChapter[]> {
  const chapters: ServiceChapter[] = []
  let path: string | null = `/videos/${id}/chapters?per_page=${PAGE_SIZE}&fields=title,timecode`
  while (path !== null && chapters.length < CHAPTERS_MAX) {
    const page: z.infer<typeof chapterPageSchema> | null = await client.find(
      path,
      chapterPageSchema,
    )
    for (const { title, timecode } of page?.data ?? [])
      chapters.push({ title, start: timecode, end: null })
    path = page?.paging?.next ?? null
  }
  return chapters
}

const chapterPageSchema = pageOf(chapterSchema)

/** A picture of the type `default` is a frame that Vimeo has chosen. */
function posterOf({ pictures }: Video): string | null {
  if (pictures?.type !== 'custom') return null
  const sizes = (pictures.sizes ?? []).toSorted((one, other) => one.width - other.width)
  const fitting = sizes.filter(({ width }) => width <= POSTER_MAX_WIDTH)
  return (fitting.at(-1) ?? sizes[0])?.link ?? null
}
