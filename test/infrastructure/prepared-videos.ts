import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../db/database.ts'
import { parseMasterKeys } from '../../security/sealing/sealing.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { insertAccountFixture } from '../fixtures/account.ts'
import { ingestVideo, type IngestTarget } from '../fixtures/ingest-video.ts'
import { makeSource } from '../fixtures/sources.ts'

/** An account with videos that were really encoded and encrypted, and what a player host needs to serve them. */
export interface PreparedVideos {
  /** A database with their rows. */
  url: string
  /** Folder of their stored objects. */
  objects: string
  /** The text of MASTER_KEY. */
  masterKey: string
  accountId: number
  signingSecret: string
  /** The id of a video of 60 seconds with rungs of 240p and 360p and audio in English and German. */
  wideId: string
  /** The id of a vertical video of 45 seconds, with rungs of 240 × 426, 360 × 640 and 480 × 854. */
  tallId: string
}

const WIDE_SECONDS = 60
/** Longer than the player's buffer ahead. */
const TALL_SECONDS = 45
/** Frames per second: few, because each frame costs the encoder time. */
export const PREPARED_RATE = 6

/** Makes the videos in the empty database at `url`, with all their files in `dataDir`. */
export async function prepareVideos(dataDir: string, url: string): Promise<PreparedVideos> {
  const folder = join(dataDir, 'prepared-videos')
  const workDir = join(folder, 'work')
  const objects = join(folder, 'objects')
  await mkdir(workDir, { recursive: true })
  const masterKey = randomBytes(32).toString('hex')
  const signingSecret = randomBytes(32).toString('hex')
  const masterKeys = parseMasterKeys(masterKey)
  const db = await openDatabase({ url })
  try {
    const accountId = await insertAccountFixture(db, masterKeys, signingSecret)
    const storage = createStorage({ driver: 'folder', dir: objects })
    const target = { db, masterKeys, storage, workDir, accountId }
    const [wideId, tallId] = await Promise.all([ingestWide(target), ingestTall(target)])
    return { url, objects, masterKey, accountId, signingSecret, wideId, tallId }
  } finally {
    await db.close(true)
    // After a failure the other video is still being made; that error matters, not this one.
    await rm(workDir, { recursive: true, force: true }).catch(() => undefined)
  }
}

async function ingestWide(target: IngestTarget): Promise<string> {
  const path = join(target.workDir, 'wide.mp4')
  const languages = ['eng', 'deu']
  await makeSource(path, {
    seconds: WIDE_SECONDS,
    size: '640x360',
    rate: PREPARED_RATE,
    grain: false,
    languages,
  })
  return ingestVideo(path, target)
}

async function ingestTall(target: IngestTarget): Promise<string> {
  const path = join(target.workDir, 'tall.mp4')
  await makeSource(path, {
    seconds: TALL_SECONDS,
    size: '480x854',
    rate: PREPARED_RATE,
    grain: false,
  })
  return ingestVideo(path, target)
}
