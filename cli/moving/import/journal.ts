import { z } from 'zod'
import type { ImportBucket } from '../../../domain/imports/video-import.ts'
import { parseJson } from '../../../domain/parse-json.ts'
import { appendTo, linesOf } from '../synced-lines.ts'

/** What is done with a video once it exists. `settled`: nothing is left to do. */
const STEPS = ['captions', 'chapters', 'settled'] as const
export type Step = (typeof STEPS)[number]

/** What is known of a line by its external id. */
export interface JournalEntry {
  sha256: string
  /** The upload that was begun for it; null if its video was there before. */
  uploadId: number | null
  videoId: string | null
  /** The import of the service that makes it from a link; absent for a file. */
  importId?: number | undefined
  done: ReadonlySet<Step>
}

/** The checksum of a file, as long as it has this size and this time. */
interface HashedFile {
  sizeBytes: number
  modifiedMs: number
  sha256: string
}

const recordSchema = z.union([
  z.object({
    path: z.string(),
    size_bytes: z.number(),
    modified_ms: z.number(),
    sha256: z.string(),
  }),
  z.object({ bucket: z.object({ endpoint: z.string(), region: z.string(), name: z.string() }) }),
  z.object({
    external_id: z.string(),
    at: z.string(),
    sha256: z.string(),
    upload_id: z.number().nullable(),
    video_id: z.string().nullable(),
    import_id: z.number().optional(),
    done: z.array(z.enum(STEPS)),
  }),
])
type JournalRecord = z.infer<typeof recordSchema>

/** What an import has done, in a file beside its manifest. Each record is on the disk before the next step. */
export interface Journal {
  /** When its first video was begun; null if none was. */
  beganAt: Date | null
  /** The bucket whose objects were imported; null if none was. */
  bucket: ImportBucket | null
  entry: (externalId: string) => JournalEntry | null
  hashOf: (path: string, facts: Omit<HashedFile, 'sha256'>) => string | null
  noteHash: (path: string, file: HashedFile) => Promise<void>
  noteEntry: (externalId: string, entry: JournalEntry) => Promise<void>
  /** Notes where the objects are; what opens the bucket is never noted. */
  noteBucket: (bucket: ImportBucket) => Promise<void>
  close: () => Promise<void>
}

/**
 * Opens the journal at `path`, which need not exist. A line that a killed run has not written to its end is passed over: what it did is
 * then asked of the service.
 */
export async function openJournal(path: string): Promise<Journal> {
  const entries = new Map<string, JournalEntry>()
  const files = new Map<string, HashedFile>()
  let beganAt: Date | null = null
  let bucket: ImportBucket | null = null
  const apply = (record: JournalRecord): void => {
    if ('path' in record) {
      const { size_bytes: sizeBytes, modified_ms: modifiedMs, sha256 } = record
      files.set(record.path, { sizeBytes, modifiedMs, sha256 })
      return
    }
    if ('bucket' in record) {
      bucket = record.bucket
      return
    }
    beganAt ??= new Date(record.at)
    const { sha256, video_id: videoId, import_id: importId } = record
    const before = entries.get(record.external_id)
    const isSameVideo = videoId !== null && before?.videoId === videoId
    // A second run at once finds the video that the first one has made.
    const uploadId = record.upload_id ?? (isSameVideo ? before.uploadId : null)
    const done = new Set(record.done)
    entries.set(record.external_id, { sha256, uploadId, videoId, importId, done })
  }
  for await (const line of linesOf(path)) {
    const parsed = recordSchema.safeParse(parseJson(line))
    if (parsed.success) apply(parsed.data)
  }
  const append = appendTo(path)
  const note = async (record: JournalRecord): Promise<void> => {
    await append.add(JSON.stringify(record))
    apply(record)
  }
  return {
    get beganAt() {
      return beganAt
    },
    get bucket() {
      return bucket
    },
    entry: (externalId) => entries.get(externalId) ?? null,
    hashOf(file, { sizeBytes, modifiedMs }) {
      const known = files.get(file)
      if (known?.sizeBytes !== sizeBytes || known.modifiedMs !== modifiedMs) return null
      return known.sha256
    },
    noteHash: (file, { sizeBytes, modifiedMs, sha256 }) =>
      note({ path: file, size_bytes: sizeBytes, modified_ms: modifiedMs, sha256 }),
    noteEntry: (externalId, { sha256, uploadId, videoId, importId, done }) =>
      note({
        external_id: externalId,
        at: new Date().toISOString(),
        sha256,
        upload_id: uploadId,
        video_id: videoId,
        ...(importId !== undefined && { import_id: importId }),
        done: [...done],
      }),
    noteBucket: ({ endpoint, region, name }) => note({ bucket: { endpoint, region, name } }),
    close: () => append.close(),
  }
}
