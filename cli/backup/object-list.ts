import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { parseJson } from '../../domain/parse-json.ts'

/** An object of a video in a backup. Its content is in the pool, under its SHA-256. */
export interface ListedContent {
  key: string
  sizeBytes: number
  sha256: string
  /** Of the storage that it was read from. */
  etag: string
}

/** The objects of a video. */
export interface VideoObjects {
  videoId: string
  objects: ListedContent[]
}

const lineSchema = z.object({
  video: z.string().regex(/^[0-9a-f]{20}$/),
  // Arrays, because a list may have millions of objects.
  objects: z.array(
    z.tuple([
      z.string().max(512),
      z.int().nonnegative(),
      z.string().regex(/^[0-9a-f]{64}$/),
      z.string(),
    ]),
  ),
})

/** Opens a new list, one line of JSON for each video. Videos are written by id. */
export async function writeList(path: string) {
  const file = await open(path, 'wx', 0o600)
  return {
    async add({ videoId, objects }: VideoObjects): Promise<void> {
      const rows = objects.map(({ key, sizeBytes, sha256, etag }) => [key, sizeBytes, sha256, etag])
      await file.appendFile(`${JSON.stringify({ video: videoId, objects: rows })}\n`)
    },
    async end(): Promise<void> {
      try {
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}

/** Reads a list. A line that a killed process did not complete ends it. */
export async function* readList(path: string): AsyncGenerator<VideoObjects> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })
  for await (const line of lines) {
    const parsed = lineSchema.safeParse(parseJson(line))
    if (!parsed.success) return
    const { video, objects } = parsed.data
    yield {
      videoId: video,
      objects: objects.map(([key, sizeBytes, sha256, etag]) => ({ key, sizeBytes, sha256, etag })),
    }
  }
}

/** Reads a list beside another walk over videos by id. */
export interface ListCursor {
  /** The objects of a video; none if the list does not have it. Ask for the videos by id. */
  take(videoId: string): Promise<ListedContent[]>
  close(): Promise<void>
}

/** Opens a cursor over a list. */
export function openCursor(path: string): ListCursor {
  const lines = readList(path)
  let current: VideoObjects | undefined | null
  return {
    async take(videoId) {
      while (current === undefined || (current !== null && current.videoId < videoId)) {
        const { value, done } = await lines.next()
        current = done === true ? null : value
      }
      return current?.videoId === videoId ? current.objects : []
    },
    close: async () => void (await lines.return(undefined)),
  }
}
