import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../domain/parse-json.ts'
import { appendTo, linesOf } from '../synced-lines.ts'
import type { ExportFolder } from './export-folder.ts'

/** A video that is written whole. */
export interface WrittenVideo {
  /** Of the file, in the folder of the videos. */
  name: string
  sizeBytes: number
  sha256: string
  isOriginal: boolean
}

const recordSchema = z.object({
  video_id: z.string(),
  name: z.string(),
  size_bytes: z.number(),
  sha256: z.string(),
  is_original: z.boolean(),
})

/** Which videos earlier runs of an export have written, and which names of files are taken. */
export interface ExportJournal {
  /** The file of a video, if it is still there. */
  find: (videoId: string) => Promise<WrittenVideo | null>
  /** Returns a name that no other video has: `base` or, with the same title and content, `base-2`. */
  freeName: (videoId: string, base: string, extension: string) => string
  note: (videoId: string, video: WrittenVideo) => Promise<void>
  close: () => Promise<void>
}

/** Opens the journal of an export. */
export async function openExportJournal({ journal, files }: ExportFolder): Promise<ExportJournal> {
  const written = new Map<string, WrittenVideo>()
  const owners = new Map<string, string>()
  const apply = (videoId: string, video: WrittenVideo): void => {
    written.set(videoId, video)
    owners.set(stemOf(video.name), videoId)
  }
  for await (const line of linesOf(journal)) {
    const { success, data } = recordSchema.safeParse(parseJson(line))
    if (!success) continue
    const { video_id: videoId, name, size_bytes: sizeBytes, sha256, is_original } = data
    apply(videoId, { name, sizeBytes, sha256, isOriginal: is_original })
  }
  const lines = appendTo(journal)
  return {
    async find(videoId) {
      const video = written.get(videoId)
      if (!video) return null
      const facts = await stat(join(files, video.name)).catch(() => null)
      return facts?.size === video.sizeBytes ? video : null
    },
    freeName(videoId, base, extension) {
      const isFree = (stem: string): boolean => (owners.get(stem) ?? videoId) === videoId
      let stem = base
      for (let number = 2; !isFree(stem); number += 1) stem = `${base}-${number}`
      return `${stem}.${extension}`
    },
    async note(videoId, { name, sizeBytes, sha256, isOriginal }) {
      const record = {
        video_id: videoId,
        name,
        size_bytes: sizeBytes,
        sha256,
        is_original: isOriginal,
      }
      await lines.add(JSON.stringify(record))
      apply(videoId, { name, sizeBytes, sha256, isOriginal })
    },
    close: () => lines.close(),
  }
}

/** The name of a file without its extension. */
export const stemOf = (name: string): string => name.replace(/\.[^.]+$/, '')
