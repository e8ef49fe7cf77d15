import type { MediaWork } from '../../media/run-tool.ts'
import type { StoredSource } from '../../security/sealing/stored-source.ts'
import type { ActivityDeps } from '../deps.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'
import { openSourceObject, recordStored } from './find-stored-source.ts'
import { withStored, type OpenFile } from './read-stored.ts'
import { readSourceKey, type SourceOf } from './source-keys.ts'

/** A source that tools can read. */
export interface OpenSource extends OpenFile {
  /** Names what is stored; null for a source that is not encrypted. */
  sourceId: string | null
}

type Deps = Pick<ActivityDeps, 'db' | 'masterKeys' | 'storage'>

/** Calls `use` with the source of a video, as `withStored` does. */
export async function withSource<T>(
  deps: Deps,
  folder: WorkFolder,
  videoId: string,
  work: MediaWork,
  use: (source: OpenSource, work: MediaWork) => Promise<T>,
): Promise<T> {
  const key = await readSourceKey(deps, videoId)
  const sourceId = key && (key.sourceId ?? (await recordUnknown(deps, key)))
  const open = (): Promise<StoredSource> => openRecorded(deps, videoId, key && { ...key, sourceId })
  return withStored(folder, { id: sourceId, key: key && key.key, open }, work, (file, reading) =>
    use({ ...file, sourceId }, reading),
  )
}

/** An older worker stores a source and does not record which. Returns its id. */
async function recordUnknown(deps: Deps, key: SourceOf): Promise<string | null> {
  const stored = await openSourceObject(deps.storage, key.videoId, key)
  await recordStored(deps, key, stored)
  return stored.id
}

/** Without a key, opens a source that is not encrypted. */
async function openRecorded(
  deps: Deps,
  videoId: string,
  key: SourceOf | null,
): Promise<StoredSource> {
  const stored = await openSourceObject(deps.storage, videoId, key)
  if (!key || stored.id === key.sourceId) return stored
  // A late attempt to download has stored it again. The next attempt reads what is recorded now.
  await recordStored(deps, key, stored)
  throw new Error('the source was stored again')
}
