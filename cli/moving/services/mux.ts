import { z } from 'zod'
import { maybe, maybeNumber, maybeText, ofOneVideo, readRecord } from './read-record.ts'
import type { ServiceClient } from './service-client.ts'
import {
  isLeftOut,
  type FoundVideo,
  type LeftOutVideo,
  type Service,
  type ServiceCaption,
} from './service.ts'

export const MUX_API = 'https://api.mux.com/video/v1'

/** Basic authentication with the two parts of an access token (mux.com/docs, "Make API requests"). */
export const muxHeaders = (tokenId: string, tokenSecret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${tokenId}:${tokenSecret}`).toString('base64')}`,
})

/** Five requests a second, one of the limits of the guide above that could not be confirmed. */
export const MUX_GAP_MS = 200

const PAGE_SIZE = 100
/** The address of a master ends 24 hours after access to it was given (mux.com/docs, "Update master access"). */
const MASTER_MS = 24 * 3_600_000
/** How often a master that is made is asked for, and for how long. */
const POLL_MS = 5_000
const PREPARED_WITHIN_MS = 30 * 60_000

const fileSchema = z.object({
  name: maybeText,
  status: maybeText,
  height: maybeNumber,
})

const assetSchema = z.object({
  id: z.string().regex(/^[A-Za-z0-9]{1,255}$/),
  created_at: maybeText,
  status: z.string(),
  duration: maybeNumber,
  is_live: maybe(z.boolean()),
  passthrough: maybeText,
  meta: maybe(z.object({ title: maybeText, external_id: maybeText, creator_id: maybeText })),
  master: maybe(z.object({ status: maybeText, url: maybeText })),
  playback_ids: maybe(
    z.array(z.object({ id: z.string().regex(/^\w{1,255}$/), policy: maybeText })),
  ),
  static_renditions: maybe(z.object({ status: maybeText, files: maybe(z.array(fileSchema)) })),
  tracks: maybe(
    z.array(
      z.object({
        id: maybe(z.string().regex(/^\w{1,255}$/)),
        type: maybeText,
        text_type: maybeText,
        status: maybeText,
        name: maybeText,
        language_code: maybeText,
      }),
    ),
  ),
})
type Asset = z.infer<typeof assetSchema>

const pageSchema = z.object({ data: z.array(z.unknown()), next_cursor: maybeText })
const oneSchema = z.object({ data: assetSchema })

/**
 * Reads the assets of an environment. `client` sends `muxHeaders`. With `prepare`, temporary access to the master of each is given, and its
 * file awaited, a page at a time.
 */
export function mux(client: ServiceClient, { prepare }: { prepare: boolean }): Service {
  return {
    name: 'mux',
    title: 'Mux',
    async *videos() {
      for await (const records of pages(client)) {
        const read = records.map((record) => readRecord(assetSchema, record, 'id'))
        const assets = prepare ? await withMasters(client, read) : read
        for (const asset of assets) yield isLeftOut(asset) ? asset : videoOf(asset, prepare)
      }
    },
  }
}

/** Pages by cursor (mux.com/docs, changelog of 29 April 2025). */
async function* pages(client: ServiceClient): AsyncGenerator<unknown[]> {
  let cursor: string | null = null
  do {
    const query = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: z.infer<typeof pageSchema> = await client.get(
      `/assets?limit=${PAGE_SIZE}${query}`,
      pageSchema,
    )
    yield page.data
    cursor = page.next_cursor || null
  } while (cursor !== null)
}

/** Whether an asset has a file that a master can be made of. */
const isUsable = ({ status, is_live: isLive }: Asset): boolean =>
  status === 'ready' && isLive !== true

const isReady = ({ master }: Asset): boolean => master?.status === 'ready' && Boolean(master.url)

async function withMasters(
  client: ServiceClient,
  assets: readonly (Asset | LeftOutVideo)[],
): Promise<(Asset | LeftOutVideo)[]> {
  const latest = [...assets]
  const update = async (
    pick: (asset: Asset) => boolean,
    call: (asset: Asset) => Promise<{ data: Asset }>,
  ): Promise<void> => {
    for (const [index, asset] of latest.entries()) {
      if (isLeftOut(asset) || !pick(asset)) continue
      const { id, meta } = asset
      const leaveOut = (reason: string): void =>
        void (latest[index] = { id, title: meta?.title ?? null, reason })
      const changed = await ofOneVideo(() => call(asset), leaveOut)
      if (changed) latest[index] = changed.data
    }
  }
  await update(
    (asset) => isUsable(asset) && !asset.master,
    ({ id }) =>
      client.send('PUT', `/assets/${id}/master-access`, { master_access: 'temporary' }, oneSchema),
  )
  const isPreparing = (asset: Asset): boolean => asset.master?.status === 'preparing'
  for (let waitedMs = 0; waitedMs < PREPARED_WITHIN_MS; waitedMs += POLL_MS) {
    if (!latest.some((asset) => !isLeftOut(asset) && isPreparing(asset))) break
    await client.pause(POLL_MS)
    await update(isPreparing, ({ id }) => client.get(`/assets/${id}`, oneSchema))
  }
  return latest
}

function videoOf(asset: Asset, prepare: boolean): FoundVideo {
  const { id, meta, passthrough } = asset
  const title = meta?.title ?? null
  if (!isUsable(asset))
    return { id, title, reason: `Its status at Mux is ${asset.is_live ? 'live' : asset.status}.` }
  const file = isReady(asset) ? masterOf(asset) : renditionOf(asset)
  if (file === null) return { id, title, reason: prepare ? NOT_MADE : NOT_PREPARED }
  const playbackId = publicId(asset) ?? asset.playback_ids?.[0]?.id ?? null
  const metadata = {
    mux_file: file.name,
    mux_playback_id: playbackId,
    mux_passthrough: passthrough,
    mux_external_id: meta?.external_id,
    mux_creator_id: meta?.creator_id,
  }
  return {
    id,
    sourceUrl: file.url,
    expiresAt: file.expiresAt,
    title,
    description: null,
    folder: null,
    tags: [],
    metadata: Object.fromEntries(
      Object.entries(metadata).filter((entry): entry is [string, string] => Boolean(entry[1])),
    ),
    createdAt: /^\d{1,12}$/.test(asset.created_at ?? '')
      ? new Date(Number(asset.created_at) * 1_000)
      : null,
    // The page that Mux has for an iframe (mux.com/docs, "Embed videos with an iframe").
    oldUrl: playbackId === null ? null : `https://player.mux.com/${playbackId}`,
    durationSeconds: asset.duration,
    captions: captionsOf(asset),
    chapters: [],
    // Mux makes thumbnails from frames on request, and stores no chosen poster.
    poster: null,
    sha256: null,
    problems: [],
  }
}

const NOT_PREPARED =
  'It has neither a master that can be downloaded nor a public MP4 file. With --prepare, Mux is asked for its master.'
const NOT_MADE = 'Mux has not made its master yet, or failed to. Run the same command later.'

interface MuxFile {
  name: string
  url: string
  expiresAt: Date | null
}

const masterOf = ({ master }: Asset): MuxFile => ({
  name: 'master',
  url: master?.url ?? '',
  expiresAt: new Date(Date.now() + MASTER_MS),
})

/** The highest MP4 file (mux.com/docs, "Use static MP4 and M4A renditions"); its address is open only with a public playback id. */
function renditionOf(asset: Asset): MuxFile | null {
  const { static_renditions: renditions } = asset
  const id = publicId(asset)
  const files = (renditions?.files ?? []).filter(
    ({ name, status }) =>
      /^[\w-]+\.mp4$/.test(name ?? '') && (status ?? renditions?.status) === 'ready',
  )
  const best = files.toSorted((one, other) => (other.height ?? 0) - (one.height ?? 0))[0]
  if (id === null || !best) return null
  const name = best.name ?? ''
  return { name, url: `https://stream.mux.com/${id}/${name}`, expiresAt: null }
}

const publicId = ({ playback_ids: ids }: Asset): string | null =>
  ids?.find(({ policy }) => policy === 'public')?.id ?? null

/** A text track is a WebVTT file (mux.com/docs, "Retrieve a WebVTT file for a text track"), open only with a public playback id. */
function captionsOf(asset: Asset): ServiceCaption[] {
  const id = publicId(asset)
  const tracks = (asset.tracks ?? []).filter(
    ({ type, text_type: textType, status }) =>
      type === 'text' && textType === 'subtitles' && status === 'ready',
  )
  return tracks.map(({ id: trackId, name, language_code: language }) => ({
    language: language ?? '',
    label: name,
    isDefault: false,
    file:
      id === null || trackId === null
        ? { missing: 'It can be read only with a public playback id.' }
        : { link: `https://stream.mux.com/${id}/text/${trackId}.vtt` },
  }))
}
