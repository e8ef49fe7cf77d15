import { scratchCipher } from '../../security/sealing/scratch-cipher.ts'
import { openSourceWriter } from '../../sources/source-writer.ts'
import type { ActivityDeps } from '../deps.ts'
import type { Report } from '../ingest/report-progress.ts'
import type { SourceOf } from '../source/source-keys.ts'
import { followFile, type FollowedFile } from './follow-file.ts'
import type { PartialDownload } from './partial-download.ts'
import { videoSource } from './video-source.ts'

/** Stores a source, encrypted, while it is downloaded (ADR 0032). */
export interface SourceStore {
  /** The file of the download is there, and has the bytes before `grewTo`. */
  begin(download: PartialDownload): void
  grewTo(bytes: number): void
  /** The file is complete. Resolves to the id of the source when it is stored whole and recorded. */
  finish(sizeBytes: number): Promise<string>
  /** The file will not be completed. Resolves when this process stores nothing more; never rejects. */
  fail(reason: unknown): Promise<void>
}

interface Attempt {
  report: Report
  signal: AbortSignal
}

/** Creates the store of one download attempt. */
export function createSourceStore(
  deps: Pick<ActivityDeps, 'db' | 'storage'>,
  of: SourceOf,
  attempt: Attempt,
): SourceStore {
  let running: { arriving: FollowedFile; storing: Promise<string> } | undefined
  const store = async (arriving: FollowedFile, download: PartialDownload): Promise<string> => {
    const owner = videoSource(deps, of)
    const writer = await openSourceWriter(deps, of, owner, download, () => attempt.report())
    try {
      await writer.append(
        decrypted(arriving, writer.offset(), { ...attempt, key: of.key, salt: download.salt }),
      )
      return (await writer.finish()).sourceId
    } catch (error) {
      // The first error counts. The next writer makes a copy if this fails.
      await writer.release().catch(() => {})
      throw error
    }
  }
  return {
    begin(download) {
      const { partialPath, receivedPath } = download.files
      const arriving = followFile([partialPath, receivedPath])
      running = { arriving, storing: store(arriving, download) }
      // It may fail before the download ends, and is awaited after it.
      running.storing.catch(() => {})
    },
    grewTo: (bytes) => running?.arriving.grewTo(bytes),
    async finish(sizeBytes) {
      if (!running) throw new Error('nothing has arrived')
      running.arriving.grewTo(sizeBytes)
      running.arriving.end()
      return running.storing
    },
    async fail(reason) {
      running?.arriving.fail(reason)
      await running?.storing.catch(() => {})
    },
  }
}

/** The bytes of a source. Once it has arrived, storing it counts as progress of the step. */
async function* decrypted(
  arriving: FollowedFile,
  startByte: number,
  { report, signal, key, salt }: Attempt & { key: Buffer; salt: string },
): AsyncGenerator<Buffer> {
  const decrypt = scratchCipher(key, salt, startByte)
  for await (const chunk of arriving.chunks(startByte)) {
    signal.throwIfAborted()
    if (arriving.isComplete()) report({ fraction: 1 })
    yield decrypt(chunk)
  }
}
