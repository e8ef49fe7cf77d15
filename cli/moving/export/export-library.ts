import { open, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Video } from '../../../db/entities/video.ts'
import { lineText } from '../../../domain/moving/line-text.ts'
import { MachineError, MediaError } from '../../../media/media-error.ts'
import { SourceCipherError } from '../../../security/sealing/encrypted-source.ts'
import { ObjectNotFoundError } from '../../../storage/object-storage.ts'
import { CliError } from '../../errors.ts'
import { exportVideo, type ExportedVideo } from './export-video.ts'
import type { ExportRun } from './run.ts'
import { keep } from './whole-file.ts'

/** What became of a video. `skipped`: it was not ready. */
export interface ExportOutcome {
  video: Video
  state: 'exported' | 'skipped' | 'failed'
  exported: ExportedVideo | null
  reason: string | null
}

/**
 * Writes the videos, and then the manifest, which is whole or that of an earlier run. A video whose objects are lost or altered does not end
 * the others; a full disk does. Throws a CliError, and what the database and the storage throw.
 */
export async function exportLibrary(
  run: ExportRun,
  videos: AsyncIterable<Video>,
  onOutcome: (outcome: ExportOutcome) => void,
): Promise<void> {
  const { folder } = run
  try {
    const unfinished = join(folder.work, 'manifest.part')
    await writeVideos(run, videos, { unfinished, onOutcome })
    await keep(unfinished, folder.manifest)
  } catch (error) {
    if (await stat(folder.work).catch(() => null)) throw error
    throw new CliError('Another run of this export has taken the place of this one.', {
      code: 'export_incomplete',
    })
  }
  await rm(folder.work, { recursive: true, force: true })
}

async function writeVideos(
  run: ExportRun,
  videos: AsyncIterable<Video>,
  { unfinished, onOutcome }: { unfinished: string; onOutcome: (outcome: ExportOutcome) => void },
): Promise<void> {
  const manifest = await open(unfinished, 'w', 0o600)
  try {
    for await (const video of videos) {
      if (run.work.signal.aborted) throw interrupted()
      onOutcome(await exportOne(run, video, manifest))
    }
  } finally {
    await manifest.close()
  }
}

async function exportOne(
  run: ExportRun,
  video: Video,
  manifest: FileHandle,
): Promise<ExportOutcome> {
  const outcome = { video, exported: null, reason: null }
  if (video.status !== 'ready') return { ...outcome, state: 'skipped', reason: 'It is not ready.' }
  try {
    const exported = await exportVideo(run, video)
    await manifest.appendFile(`${lineText(exported.line)}\n`)
    return { ...outcome, state: 'exported', exported }
  } catch (error) {
    if (run.work.signal.aborted) throw interrupted()
    if (error instanceof MachineError)
      throw new CliError(`${error.message}.`, { code: 'output_not_written' })
    if (!OF_VIDEO.some((kind) => error instanceof kind)) throw error
    return { ...outcome, state: 'failed', reason: String(error) }
  }
}

/** Errors that are about one video. */
const OF_VIDEO = [ObjectNotFoundError, SourceCipherError, MediaError]

const interrupted = (): CliError =>
  new CliError('Interrupted. The same command continues.', { code: 'export_incomplete' })
