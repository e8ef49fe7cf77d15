import { randomBytes } from 'node:crypto'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import pino from 'pino'
import type { ActivityDeps } from '../../activities/deps.ts'
import { createEncodeActivities } from '../../activities/encode-activities.ts'
import { createIngestActivities } from '../../activities/ingest-activities.ts'
import type { Database } from '../../db/database.ts'
import { insertVideo } from '../../db/videos.ts'
import { sourceKey } from '../../domain/media-paths.ts'
import type { Protection } from '../../domain/plan.ts'
import { createKeyProviders } from '../../drm/key-providers.ts'
import { createEgress } from '../../egress/egress.ts'
import type { MasterKeys } from '../../security/sealing.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'

/** What a film is ingested into. */
export interface FilmTarget {
  db: Database
  masterKeys: MasterKeys
  storage: ObjectStorage
  /** Scratch space. */
  workDir: string
  accountId: number
  title?: string
  protection?: Protection
}

/** A film whose rungs are published one after another, as the test asks. */
export interface FilmInTheMaking {
  videoId: string
  /** Names of the rungs that are not published yet, in the order of the ladder. */
  rungsLeft: string[]
  /** Publishes the next rung. */
  publishNextRung(): Promise<void>
  /** Publishes what is left, then poster, storyboard, `ready`. */
  finish(): Promise<void>
}

const logger = new DefaultLogger('ERROR')
const run = <Input, Result>(
  activity: (input: Input) => Promise<Result>,
  input: Input,
): Promise<Result> => new MockActivityEnvironment({}, { logger }).run(activity, input)

/**
 * Begins to ingest the film at `path` by the activities of the service, without a workflow: its
 * audio tracks are published when this resolves, its rungs as they are asked for.
 */
export async function beginFilm(path: string, target: FilmTarget): Promise<FilmInTheMaking> {
  const { db, accountId } = target
  const deps = depsOf(target)
  const videoId = randomBytes(10).toString('hex')
  await target.storage.putFile(sourceKey(videoId), path, 'video/mp4')
  await insertVideo(db.em.fork(), {
    ...{ id: videoId, accountId, title: target.title ?? 'A film', description: '' },
    ...{ folderId: null, protection: target.protection ?? 'clearkey' },
    ...{ sourceUrl: 'https://films.example/film.mp4', keepOriginal: false, reservedBytes: 0 },
  })
  const input = { videoId, accountId }
  const [ingest, encode] = [createIngestActivities(deps), createEncodeActivities(deps)]
  const { facts, rungs, audio } = await run(ingest.prepareEncoding, input)
  const shared = { ...input, facts, audioNames: audio.map(({ name }) => name) }
  for (const track of audio) await run(encode.encodeAudio, { ...shared, track })
  const left = [...rungs]
  const publishNextRung = async (): Promise<void> => {
    const rung = left.shift()
    if (rung) await run(encode.encodeRung, { ...shared, rung, isFirst: rung === rungs[0] })
  }
  return {
    videoId,
    get rungsLeft() {
      return left.map(({ name }) => name)
    },
    publishNextRung,
    async finish() {
      while (left.length > 0) await publishNextRung()
      await run(ingest.finishVideo, { ...input, facts })
    },
  }
}

/** Ingests the film at `path` to `ready`; resolves to its id. */
export async function ingestFilm(path: string, target: FilmTarget): Promise<string> {
  const film = await beginFilm(path, target)
  await film.finish()
  return film.videoId
}

function depsOf({ db, masterKeys, storage, workDir }: FilmTarget): ActivityDeps {
  const logger = pino({ level: 'silent' })
  const egress = createEgress()
  return {
    ...{ db, masterKeys, storage, workDir, egress, encodeProcesses: 2, logger },
    keyProvider: createKeyProviders({
      egress,
      spekeUrl: undefined,
      spekeAuthorization: undefined,
    }),
  }
}
