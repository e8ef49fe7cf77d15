import { isReadFromCopy, type ChunkPlan } from '../../domain/encoding/chunks.ts'
import type { SourceFacts } from '../../domain/ingest/source-facts.ts'
import { copyKey } from '../../domain/videos/media-paths.ts'
import { MediaError } from '../../media/media-error.ts'
import type { MediaWork } from '../../media/run-tool.ts'
import { openStoredSource } from '../../security/sealing/stored-source.ts'
import { readRange } from '../../storage/object-storage.ts'
import type { ActivityDeps } from '../deps.ts'
import type { WorkFolder } from '../scratch/work-folder.ts'
import { isNotStored, openSourceObject } from '../source/find-stored-source.ts'
import { withSource, type OpenSource } from '../source/open-source.ts'
import { withStored } from '../source/read-stored.ts'
import { readSourceKey } from '../source/source-keys.ts'

type Deps = Pick<ActivityDeps, 'db' | 'logger' | 'masterKeys' | 'storage'>

/** What chunks are read from. */
interface OpenPicture extends OpenSource {
  /** True if `path` is a copy of the picture (`copyPicture`). Size and id are those of the source in any case. */
  isCopy: boolean
}

interface PictureOf {
  videoId: string
  picture: Pick<SourceFacts, 'container'>
  plan: Pick<ChunkPlan, 'count'>
}

type Use<T> = (picture: OpenPicture, work: MediaWork) => Promise<T>

/**
 * Calls `use` with what the chunks of a plan are read from, the source or the copy of its picture, as `withStored` does. A copy that is
 * missing, or is not of this source, is a MediaError `chunk_not_exact`: the video is then encoded whole, from its source.
 */
export async function withPicture<T>(
  deps: Deps,
  folder: WorkFolder,
  { videoId, picture, plan }: PictureOf,
  work: MediaWork,
  use: Use<T>,
): Promise<T> {
  if (!isReadFromCopy(picture.container, plan))
    return withSource(deps, folder, videoId, work, (source, reading) =>
      use({ ...source, isCopy: false }, reading),
    )
  try {
    return await withCopy(deps, folder, videoId, work, use)
  } catch (error) {
    if (!isNotStored(error)) throw error
    deps.logger.error({ err: error, videoId }, 'the copy of a picture cannot be used')
    throw noCopy(error)
  }
}

async function withCopy<T>(
  deps: Deps,
  folder: WorkFolder,
  videoId: string,
  work: MediaWork,
  use: Use<T>,
): Promise<T> {
  const key = await readSourceKey(deps, videoId)
  if (!key || key.sourceId === null || key.copyId === null) throw noCopy()
  const { sourceId, copyId } = key
  const objectKey = copyKey(videoId, copyId)
  const open = () =>
    openStoredSource((range) => readRange(deps.storage, objectKey, range), {
      ...key,
      copyOf: sourceId,
    })
  const source = await openSourceObject(deps.storage, videoId, key)
  const { sizeBytes } = source.layout
  return withStored(folder, { id: copyId, key: key.key, open }, work, ({ path }, reading) =>
    use({ path, sizeBytes, sourceId, isCopy: true }, reading),
  )
}

const noCopy = (cause?: unknown): MediaError =>
  new MediaError('chunk_not_exact', 'The parts of the video cannot be read by themselves.', {
    cause,
  })
