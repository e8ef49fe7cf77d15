import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import pino from 'pino'
import { createAccount } from '../../db/accounts.ts'
import { openDatabase } from '../../db/database.ts'
import { Rendition, Video } from '../../db/entities/video.ts'
import type { Protection } from '../../domain/plan.ts'
import type { VideoStatus } from '../../domain/video-state.ts'
import { createKeyProviders } from '../../drm/key-providers.ts'
import { startTestNetwork } from '../../egress/testing/test-servers.ts'
import type { TestNetwork } from '../../egress/testing/test-servers.ts'
import { parseMasterKeys } from '../../security/sealing.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { createTestDatabase } from '../../test/services/index.ts'
import type { ActivityDeps } from '../deps.ts'

interface NewVideo {
  sourceUrl?: string
  status?: VideoStatus
  protection?: Protection
  reservedBytes?: number
  keepOriginal?: boolean
}

/** Everything that the ingest activities work with: a database, a storage and a scratch folder of its own. */
export interface IngestWorld {
  deps: ActivityDeps
  network: TestNetwork
  databaseUrl: string
  /** For a test's own files. */
  folder: string
  accountId: number
  addVideo(video?: NewVideo): Promise<{ videoId: string; accountId: number }>
  video(id: string): Promise<Video>
  renditions(videoId: string): Promise<Rendition[]>
  /** Keys of all objects that are stored, sorted. */
  objects(): Promise<string[]>
  /** Names in the scratch folder. */
  scratch(): Promise<string[]>
  limitStorage(bytes: number | null): Promise<void>
  events(videoId: string): Promise<string[]>
  close(): Promise<void>
}

/** What an activity fails with is for the test to judge. */
const logger = new DefaultLogger('ERROR')

/** Runs an activity as a worker does, without the server. */
export const runActivity = <Input, Result>(
  activity: (input: Input) => Promise<Result>,
  input: Input,
): Promise<Result> => new MockActivityEnvironment({}, { logger }).run(activity, input)

export async function createIngestWorld(
  options: { spekeUrl?: (network: TestNetwork) => Promise<string> } = {},
): Promise<IngestWorld> {
  const [database, network] = await Promise.all([createTestDatabase(), startTestNetwork()])
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-ingest-'))
  const db = await openDatabase({ url: database.url })
  const accountId = await createAccount(db.em.fork(), {
    ...{ name: 'Test', protection: 'clearkey', storageLimitBytes: null },
    sealSigningSecret: () => 'sealed',
  })
  const spekeUrl = await options.spekeUrl?.(network)
  const egress = network.egress()
  const workDir = join(folder, 'scratch')
  const deps: ActivityDeps = {
    ...{ db, egress, workDir, encodeProcesses: 2, logger: pino({ level: 'silent' }) },
    masterKeys: parseMasterKeys(randomBytes(32).toString('hex')),
    storage: createStorage({ driver: 'folder', dir: join(folder, 'objects') }),
    keyProvider: createKeyProviders({ egress, spekeUrl, spekeAuthorization: undefined }),
  }
  const em = () => db.em.fork()
  return {
    ...{ deps, network, folder, accountId, databaseUrl: database.url },
    async addVideo(video = {}) {
      const videoId = crypto.randomUUID().replaceAll('-', '').slice(0, 20)
      const row = { title: 'film', sourceUrl: 'https://source.test/', protection: 'clearkey' }
      await em().insert(Video, { id: videoId, accountId, ...row, ...video } as Video)
      return { videoId, accountId }
    },
    video: (id) => em().findOneOrFail(Video, { id }),
    renditions: (videoId) => em().find(Rendition, { videoId }, { orderBy: { name: 'asc' } }),
    async objects() {
      const keys: string[] = []
      for await (const { key } of deps.storage.list('')) keys.push(key)
      return keys.toSorted()
    },
    scratch: () => readdir(workDir).catch(() => []),
    async limitStorage(bytes) {
      await em().execute('update plan set storage_limit_bytes = ?', [bytes])
    },
    async events(videoId) {
      const sql = `select type from event where body::jsonb -> 'data' ->> 'id' = ? order by created_at`
      return (await em().execute<{ type: string }[]>(sql, [videoId])).map(({ type }) => type)
    },
    async close() {
      await Promise.all([db.close(true), network.close()])
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
