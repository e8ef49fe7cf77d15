import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { maybe, maybeNumber, maybeText, readRecord } from './read-record.ts'
import type { ServiceClient } from './service-client.ts'
import { isLeftOut, type FoundVideo, type Service, type ServiceVideo } from './service.ts'

export const BUNNY_API = 'https://video.bunnycdn.com'

/** The path of a library (docs.bunny.net, "Stream API reference"). */
export const bunnyPath = (libraryId: string): string => `/library/${libraryId}`

/** The key of the library, not that of the account (docs.bunny.net, "Stream API authentication"). */
export const bunnyHeaders = (apiKey: string): Record<string, string> => ({ accesskey: apiKey })

/** Bunny documents no limit. */
export const BUNNY_GAP_MS = 100

/** The default of the reference, which names no maximum. */
const PAGE_SIZE = 100
/** Signed links live so long. */
const LINK_SECONDS = 7 * 86_400
/** MP4 files are made up to this height (docs.bunny.net, "MP4 Fallback"). */
const FALLBACK_MAX_HEIGHT = 1_080
/** Finished, and the two states of videos that are encoded when they are played (reference, VideoModelStatus). */
const PLAYABLE = [4, 7, 8]
/** A frame that Bunny chose. */
const DEFAULT_PICTURE = 'thumbnail.jpg'

const pageSchema = z.object({ totalItems: z.number(), items: maybe(z.array(z.unknown())) })

const collectionSchema = z.object({ guid: maybeText, name: maybeText })

const videoSchema = z.object({
  guid: z.string().regex(/^[0-9a-f-]{1,64}$/i),
  title: maybeText,
  description: maybeText,
  dateUploaded: maybeText,
  length: maybeNumber,
  status: z.number(),
  availableResolutions: maybeText,
  hasMP4Fallback: maybe(z.boolean()),
  hasOriginal: maybe(z.boolean()),
  originalHash: maybeText,
  collectionId: maybeText,
  thumbnailFileName: maybeText,
  category: maybeText,
  captions: maybe(z.array(z.object({ srclang: maybeText, label: maybeText }))),
  chapters: maybe(z.array(z.object({ title: z.string(), start: maybeNumber, end: maybeNumber }))),
  metaTags: maybe(z.array(z.object({ property: maybeText, value: maybeText }))),
})
type Video = z.infer<typeof videoSchema>

export interface BunnyLibrary {
  libraryId: string
  /** Host of the pull zone that has the files. */
  pullZone: string
  /** The key of the pull zone, if it wants signed addresses. */
  tokenKey: string | null
}

/** Reads the videos of a library. `client` sends `bunnyHeaders` to `bunnyPath`. */
export function bunny(client: ServiceClient, library: BunnyLibrary): Service {
  return {
    name: 'bunny',
    title: 'Bunny Stream',
    async *videos() {
      const collections = await readCollections(client)
      for await (const record of items(client, '/videos'))
        yield readVideo(library, collections, record)
    },
  }
}

async function readCollections(client: ServiceClient): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for await (const record of items(client, '/collections')) {
    const { success, data } = collectionSchema.safeParse(record)
    if (success && data.guid && data.name) names.set(data.guid, data.name)
  }
  return names
}

/** Pages by number. The order is by date; one that moves because another was added is read twice, and written once. */
async function* items(client: ServiceClient, path: string): AsyncGenerator<unknown> {
  for (let page = 1; ; page += 1) {
    const query = `page=${page}&itemsPerPage=${PAGE_SIZE}&orderBy=date`
    const { totalItems, items: records } = await client.get(`${path}?${query}`, pageSchema)
    yield* records ?? []
    if (!records?.length || page * PAGE_SIZE >= totalItems) return
  }
}

function readVideo(
  library: BunnyLibrary,
  collections: ReadonlyMap<string, string>,
  record: unknown,
): FoundVideo {
  const video = readRecord(videoSchema, record, 'guid')
  if (isLeftOut(video)) return video
  const { guid: id, title } = video
  if (!PLAYABLE.includes(video.status))
    return {
      id,
      title,
      reason: `Its status at Bunny is ${video.status}: it is not finished, or failed.`,
    }
  const file = fileOf(video)
  if (file === null) return { id, title, reason: NO_FILE }
  const link = linker(library, id)
  const { tags, description, metadata } = ownDataOf(video)
  return {
    id,
    sourceUrl: link(file),
    expiresAt: library.tokenKey === null ? null : new Date(Date.now() + LINK_SECONDS * 1_000),
    title,
    description,
    folder: collections.get(video.collectionId ?? '') ?? null,
    tags,
    metadata: { ...metadata, bunny_file: file },
    createdAt: dateOf(video.dateUploaded),
    oldUrl: `https://player.mediadelivery.net/embed/${library.libraryId}/${id}`,
    durationSeconds: video.length,
    ...annotationsOf(video, link),
    // The hash is of the file that was uploaded, so of no other one.
    sha256:
      file === 'original' && /^[0-9a-f]{64}$/i.test(video.originalHash ?? '')
        ? video.originalHash
        : null,
    problems: [],
  }
}

const NO_FILE =
  'Bunny keeps neither its original nor an MP4 file: both must be switched on before an upload.'

/** The files of a video are at addresses of one form (docs.bunny.net, "Storage Structure"). */
function fileOf({ hasOriginal, hasMP4Fallback, availableResolutions }: Video): string | null {
  if (hasOriginal) return 'original'
  if (!hasMP4Fallback) return null
  const heights = [...(availableResolutions ?? '').matchAll(/(\d{2,5})p/g)]
    .map(([, height]) => Number(height))
    .toSorted((one, other) => other - one)
  // A library with one resolution has an MP4 file of that one, whatever it is.
  const [only] = heights.length === 1 ? heights : []
  const height = heights.find((one) => one <= FALLBACK_MAX_HEIGHT) ?? only
  return height === undefined ? null : `play_${height}p.mp4`
}

type Linker = (file: string) => string

/** Returns the address of a file of a video, signed if the pull zone wants it. */
const linker =
  ({ pullZone, tokenKey }: BunnyLibrary, id: string): Linker =>
  (file) => {
    const path = `/${id}/${file.split('/').map(encodeURIComponent).join('/')}`
    const expires = Math.floor(Date.now() / 1_000) + LINK_SECONDS
    return `https://${pullZone}${tokenKey === null ? path : signedPath(path, tokenKey, expires)}`
  }

/** Signs a path until a Unix time (docs.bunny.net, "Advanced Token Authentication"). */
export function signedPath(path: string, key: string, expires: number): string {
  const token = createHmac('sha256', key).update(`${path}${expires}`).digest('base64url')
  return `${path}?token=HS256-${token}&expires=${expires}`
}

/** The meta tags `description` and `keywords` are what tools that move videos to Bunny write. */
function ownDataOf({ description, category, metaTags }: Video) {
  const meta = new Map((metaTags ?? []).map(({ property, value }) => [property ?? '', value ?? '']))
  const tags = (meta.get('keywords') ?? '').split(',').map((tag) => tag.trim())
  const rest = [...meta, ['bunny_category', category ?? ''] as const].filter(
    ([name, value]) => name !== '' && value !== '' && name !== 'keywords' && name !== 'description',
  )
  return {
    tags,
    description: description ?? meta.get('description') ?? null,
    metadata: Object.fromEntries(rest),
  }
}

const annotationsOf = (
  { captions, chapters, thumbnailFileName }: Video,
  link: Linker,
): Pick<ServiceVideo, 'captions' | 'chapters' | 'poster'> => ({
  captions: (captions ?? []).map(({ srclang, label }) => ({
    language: srclang ?? '',
    label,
    isDefault: false,
    file: { link: link(`captions/${srclang}.vtt`) },
  })),
  chapters: (chapters ?? []).map(({ title, start, end }) => ({ title, start: start ?? 0, end })),
  poster:
    thumbnailFileName !== null &&
    thumbnailFileName !== DEFAULT_PICTURE &&
    /^\w[\w-]*(\.\w+)+$/.test(thumbnailFileName)
      ? link(thumbnailFileName)
      : null,
})

/** Times without an offset are in UTC. */
function dateOf(text: string | null): Date | null {
  const date = new Date(/T[\d:.]+$/.test(text ?? '') ? `${text}Z` : (text ?? ''))
  return Number.isNaN(date.getTime()) ? null : date
}
