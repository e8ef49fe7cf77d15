import { chooseRungs as choose, piecesOf } from '../../domain/encoding/choose-rungs.ts'
import type { Rung } from '../../domain/encoding/ladder.ts'
import type { ChooseRungsInput } from '../../domain/ingest/ingest.ts'
import { sampleRungs } from '../../media/encode/sample-rungs.ts'
import { MediaError, type MediaErrorCode } from '../../media/media-error.ts'
import type { ActivityDeps } from '../deps.ts'
import { findLiveVideo } from '../ingest/ingest-step.ts'
import { forgetSteps } from '../ingest/record-progress.ts'
import { reportedWork, reportProgress } from '../ingest/report-progress.ts'
import { newFile, type ScratchFile } from '../scratch/scratch-file.ts'
import { openWorkFolder } from '../scratch/work-folder.ts'
import { withPicture } from './open-picture.ts'

/** Faults of the file, which the encode of the video handles. */
const FAULTS: readonly string[] = [
  'chunk_not_exact',
  'encoding_failed',
  'nothing_decodable',
  'unreadable_file',
] satisfies MediaErrorCode[]

/**
 * Encodes pieces of a video for trial, and returns its ladder with the CRF that each rung needs, without rungs that
 * bring nothing (ADR 0034). Its result is recorded by the workflow, so that all chunks of a rung have the same.
 * Returns the ladder as it is if the pieces cannot be encoded.
 */
export async function chooseRungs(
  deps: ActivityDeps,
  { videoId, picture, rungs }: ChooseRungsInput,
): Promise<Rung[]> {
  const em = deps.db.em.fork()
  await findLiveVideo(em, videoId)
  const work = reportedWork(deps, reportProgress({ fraction: 0 }, deps))
  const folder = await openWorkFolder(deps, videoId)
  const files = new Map<string, ScratchFile>()
  for (const { name } of rungs)
    for (const kind of ['fine', 'coarse']) files.set(`${name}-${kind}`, await newFile(folder, name))
  const outputPathOf = ({ name }: Rung, kind: string): string =>
    files.get(`${name}-${kind}`)?.path ?? ''
  const facts = { ...picture, audio: [] }
  const pieces = piecesOf(picture.video, picture.durationMs ?? 0)
  try {
    // Pieces are read as chunks are.
    const from = { videoId, picture, plan: { count: pieces.length } }
    const samples = await withPicture(deps, folder, from, work, ({ path, isCopy }, reading) =>
      sampleRungs({ ...reading, sourcePath: path, isCopy, facts, rungs, pieces, outputPathOf }),
    )
    const chosen = choose(rungs, samples)
    const names = new Set(chosen.map(({ name }) => name))
    const dropped = rungs.filter(({ name }) => !names.has(name))
    await forgetSteps(
      deps,
      videoId,
      dropped.map(({ name }) => name),
    )
    return chosen
  } catch (error) {
    if (error instanceof MediaError && FAULTS.includes(error.code)) return rungs
    throw error
  } finally {
    for (const file of files.values()) await file.remove()
  }
}
