import { openDatabase } from '../../../db/database.ts'
import { waitFor } from '../../infrastructure/wait-for.ts'
import type { World } from './world.ts'

/** A lost heartbeat, and an encode under other faults. */
const END_MAX_MS = 240_000

const HAS_ENDED = `select id from video where id = ?
  and (status in ('ready', 'failed') and deleted_at is null or removed_at is not null)`

/**
 * Freezes the worker between the upload of a segment and its record, until another worker has ended the video. What it
 * has stored is then not used. Resolves to a function that lets it go on, or to undefined if it did not run.
 */
export async function freezeInUpload(world: World): Promise<(() => Promise<void>) | undefined> {
  const upload = await world.s3.holdUpload()
  const thaw = world.parts.worker.freeze()
  if (thaw === null) {
    upload.release()
    return undefined
  }
  const goOn = (): void => {
    upload.release()
    thaw()
  }
  // Other faults may keep it from starting.
  const other = await world.startOtherWorker().catch(goOn)
  if (!other) return undefined
  const db = await openDatabase({ url: world.databaseUrl, poolSize: 1 })
  const hasEnded = async (): Promise<boolean> => {
    // PostgreSQL may be killed meanwhile.
    const rows = await db.em
      .fork()
      .execute<object[]>(HAS_ENDED, [upload.videoId])
      .catch(() => [])
    return rows.length > 0
  }
  await waitFor(`the end of video ${upload.videoId}`, hasEnded, END_MAX_MS)
  await db.close(true)
  return async () => {
    goOn()
    await other.stop()
  }
}
