import { createHash } from 'node:crypto'
import { findImportOf } from '../../db/imports/video-imports.ts'
import { MediaError } from '../../media/media-error.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import { piecesOf } from '../../security/sealing/stored-source.ts'
import type { ActivityDeps } from '../deps.ts'
import { openSourceObject } from './find-stored-source.ts'
import { readSourceKey } from './source-keys.ts'

/**
 * Compares the stored source of a video with the SHA-256 that its import names, if it names one. Reads it as it is stored, so that a fault of the storage is
 * found too. Throws a MediaError `unreadable_file` if it has another one.
 */
export async function checkSum(
  deps: Pick<ActivityDeps, 'db' | 'masterKeys' | 'storage'>,
  videoId: string,
  { signal, onProgress }: MediaWork,
): Promise<void> {
  const expected = (await findImportOf(deps.db.em.fork(), videoId))?.sha256 ?? null
  if (expected === null) return
  const source = await openSourceObject(deps.storage, videoId, await readSourceKey(deps, videoId))
  const hash = createHash('sha256')
  for await (const piece of piecesOf(source)) {
    signal.throwIfAborted()
    hash.update(piece)
    onProgress?.()
  }
  const actual = hash.digest('hex')
  if (actual !== expected)
    throw new MediaError(
      'unreadable_file',
      `The file has the SHA-256 ${actual}; its import names ${expected}.`,
    )
}
