import { z } from 'zod'
import { CAPTION_MAX_BYTES } from '../../../domain/limits.ts'
import { CliError } from '../../errors.ts'
import { maybe, maybeNumber, maybeText, ofOneVideo, readRecord } from './read-record.ts'
import type { ServiceClient } from './service-client.ts'
import {
  isLeftOut,
  type FoundVideo,
  type LeftOutVideo,
  type Service,
  type ServiceCaption,
} from './service.ts'

export const CLOUDFLARE_API = 'https://api.cloudflare.com/client/v4'

export const cloudflarePath = (accountId: string): string => `/accounts/${accountId}/stream`

export const cloudflareHeaders = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
})

/** 1,200 requests in five minutes, by the dashboard too (developers.cloudflare.com, "Rate limits"). */
export const CLOUDFLARE_GAP_MS = 260

/** The most (reference, "List videos"). */
const PAGE_SIZE = 1_000
/** Files are asked for so many videos at a time, and then awaited. */
const AT_ONCE = 100
const POLL_MS = 5_000
const PREPARED_WITHIN_MS = 30 * 60_000
/** A token lives at most a day (reference, "Create signed URL tokens"); a minute less, because clocks differ. */
const TOKEN_SECONDS = 86_400 - 60
/** Videos of the second in which a page ends are asked for again: the reference does not say whether `start` is part of the range. */
const OVERLAP_MS = 1_000

const responseOf = <T extends z.ZodType>(result: T) => z.object({ result })

const videoSchema = z.object({
  uid: z.string().regex(/^[0-9a-z]{1,32}$/i),
  created: z.string().refine((text) => !Number.isNaN(Date.parse(text))),
  creator: maybeText,
  duration: maybeNumber,
  liveInput: maybeText,
  meta: maybe(z.record(z.string(), z.unknown())),
  preview: maybeText,
  publicDetails: maybe(z.object({ title: maybeText })),
  readyToStream: maybe(z.boolean()),
  requireSignedURLs: maybe(z.boolean()),
  scheduledDeletion: maybeText,
  status: maybe(z.object({ state: maybeText })),
  thumbnail: maybeText,
  thumbnailTimestampPct: maybeNumber,
})
type Video = z.infer<typeof videoSchema>

const downloadSchema = z.object({ status: z.string(), url: maybeText })
const downloadsSchema = responseOf(maybe(z.object({ default: maybe(downloadSchema) })))
type Downloads = z.infer<typeof downloadsSchema>

const captionsSchema = responseOf(
  maybe(z.array(z.object({ language: maybeText, label: maybeText, status: maybeText }))),
)

/**
 * Reads the videos of an account. `client` sends `cloudflareHeaders` to `cloudflarePath`. With `prepare`, the MP4 file of each video that has
 * none is asked for and awaited, a hundred videos at a time.
 */
export function cloudflare(client: ServiceClient, { prepare }: { prepare: boolean }): Service {
  return {
    name: 'cloudflare',
    title: 'Cloudflare Stream',
    async *videos() {
      let batch: (Video | LeftOutVideo)[] = []
      for await (const record of records(client)) {
        batch.push(readRecord(videoSchema, record, 'uid'))
        // Alone, they need not wait for each other.
        if (prepare && batch.length < AT_ONCE) continue
        yield* readBatch(client, batch, prepare)
        batch = []
      }
      yield* readBatch(client, batch, prepare)
    },
  }
}

const pageSchema = z.object({ result: maybe(z.array(z.unknown())) })
const placeSchema = z.object({ uid: z.string(), created: z.string() })

/** Pages by the time of creation, the oldest first: the API has no cursor. */
async function* records(client: ServiceClient): AsyncGenerator<unknown> {
  let start = ''
  let before = new Set<string>()
  for (;;) {
    const from = start === '' ? '' : `&start=${encodeURIComponent(start)}`
    const page = await client.get(`?asc=true&limit=${PAGE_SIZE}${from}`, pageSchema)
    const all = page.result ?? []
    const places = all.map((record) => placeSchema.safeParse(record).data ?? null)
    const fresh = all.filter((_record, index) => !before.has(places[index]?.uid ?? ''))
    yield* fresh
    if (all.length < PAGE_SIZE) return
    const lastMs = Date.parse(places.findLast((place) => place !== null)?.created ?? '')
    if (fresh.length === 0 || Number.isNaN(lastMs))
      throw new CliError(
        `Cloudflare Stream lists ${PAGE_SIZE} videos of one second: what follows them cannot be read.`,
        { code: 'unexpected_response' },
      )
    start = new Date(lastMs - OVERLAP_MS).toISOString()
    before = new Set(places.flatMap((place) => place?.uid ?? []))
  }
}

async function* readBatch(
  client: ServiceClient,
  batch: readonly (Video | LeftOutVideo)[],
  prepare: boolean,
): AsyncGenerator<FoundVideo> {
  const downloads = await readDownloads(
    client,
    batch.flatMap((video) => (!isLeftOut(video) && isUsable(video) ? [video] : [])),
    prepare,
  )
  for (const video of batch) {
    if (isLeftOut(video)) yield video
    else yield await readVideo(client, video, downloads.get(video.uid) ?? {}, prepare)
  }
}

const isUsable = ({ readyToStream, status }: Video): boolean =>
  readyToStream === true && status?.state === 'ready'

/** The file of a video, as far as it is known. */
interface KnownDownload {
  download?: z.infer<typeof downloadSchema>
  /** Why it is not. */
  problem?: string
}

/** A download is made once, by a request, and then at its address (developers.cloudflare.com, "Download video or audio"). */
async function readDownloads(
  client: ServiceClient,
  videos: readonly Video[],
  prepare: boolean,
): Promise<Map<string, KnownDownload>> {
  const known = new Map<string, KnownDownload>()
  const ask = async (uid: string, call: () => Promise<Downloads | null>): Promise<void> => {
    const response = await ofOneVideo(call, (problem) => known.set(uid, { problem }))
    const download = response?.result?.default
    if (download) known.set(uid, { download })
  }
  const look = (uid: string): Promise<void> =>
    ask(uid, () => client.find(`/${uid}/downloads`, downloadsSchema))
  for (const { uid } of videos) {
    await look(uid)
    if (prepare && !known.has(uid))
      await ask(uid, () => client.send('POST', `/${uid}/downloads`, {}, downloadsSchema))
  }
  for (let waitedMs = 0; prepare && waitedMs < PREPARED_WITHIN_MS; waitedMs += POLL_MS) {
    const making = [...known].filter(([, { download }]) => download?.status === 'inprogress')
    if (making.length === 0) break
    await client.pause(POLL_MS)
    for (const [uid] of making) await look(uid)
  }
  return known
}

async function readVideo(
  client: ServiceClient,
  video: Video,
  { download, problem }: KnownDownload,
  prepare: boolean,
): Promise<FoundVideo> {
  const { uid: id } = video
  const name = video.meta?.name
  const title = typeof name === 'string' ? name : (video.publicDetails?.title ?? null)
  if (!isUsable(video))
    return {
      id,
      title,
      reason: `Its state at Cloudflare is ${video.status?.state ?? 'not known'}.`,
    }
  if (download?.status !== 'ready' || !download.url)
    return { id, title, reason: problem ?? (prepare ? NOT_MADE : NOT_PREPARED) }
  const problems: string[] = []
  const note = (message: string): void => void problems.push(message)
  const token = video.requireSignedURLs
    ? await ofOneVideo(() => createToken(client, id), note)
    : null
  if (problems[0] !== undefined) return { id, title, reason: problems[0] }
  // A token is written in place of the id (developers.cloudflare.com, "Secure your Stream").
  const signed = (url: string): string =>
    token === null ? url : url.replace(`/${id}/`, `/${token}/`)
  return {
    id,
    sourceUrl: signed(download.url),
    expiresAt: token === null ? null : new Date(Date.now() + TOKEN_SECONDS * 1_000),
    title,
    description: null,
    folder: null,
    tags: [],
    metadata: metadataOf(video),
    createdAt: new Date(video.created),
    oldUrl: embedOf(video),
    durationSeconds: video.duration !== null && video.duration > 0 ? video.duration : null,
    captions: (await ofOneVideo(() => readCaptions(client, id), note)) ?? [],
    chapters: [],
    // A frame at 0 is the one that Cloudflare takes by itself.
    poster:
      video.thumbnail && video.thumbnailTimestampPct
        ? signed(`${video.thumbnail}?height=1080`)
        : null,
    sha256: null,
    problems,
  }
}

const NOT_PREPARED =
  'It has no MP4 file to download. With --prepare, Cloudflare is asked to make one.'
const NOT_MADE =
  'Cloudflare has not made its MP4 file yet, or failed to. Run the same command later.'

async function createToken(client: ServiceClient, id: string): Promise<string> {
  const exp = Math.floor(Date.now() / 1_000) + TOKEN_SECONDS
  const schema = responseOf(z.object({ token: z.string().regex(/^[\w.-]+$/) }))
  return (await client.send('POST', `/${id}/token`, { exp, downloadable: true }, schema)).result
    .token
}

/** The address of the player in an iframe (developers.cloudflare.com, "Use the Stream Player") has the host of the preview. */
function embedOf({ uid, preview }: Video): string | null {
  const host = URL.parse(preview ?? '')?.host ?? ''
  return host.endsWith('.cloudflarestream.com') ? `https://${host}/${uid}/iframe` : null
}

function metadataOf({ meta, creator, liveInput }: Video): Record<string, string> {
  const own = Object.entries(meta ?? {}).flatMap(([name, value]): [string, string][] =>
    name !== 'name' && ['string', 'number', 'boolean'].includes(typeof value)
      ? [[name, String(value)]]
      : [],
  )
  const known = Object.entries({ cloudflare_creator: creator, cloudflare_live_input: liveInput })
  return Object.fromEntries(
    [...own, ...known].filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
}

/** The API has the files of captions itself, so they need the credentials and no link. */
async function readCaptions(client: ServiceClient, id: string): Promise<ServiceCaption[]> {
  const response = await client.find(`/${id}/captions`, captionsSchema)
  return (response?.result ?? [])
    .filter(({ status }) => status === null || status === 'ready')
    .map(({ language, label }) => ({
      language: language ?? '',
      label,
      isDefault: false,
      file: {
        read: () =>
          client.file(
            `/${id}/captions/${encodeURIComponent(language ?? '')}/vtt`,
            CAPTION_MAX_BYTES,
          ),
      },
    }))
}
