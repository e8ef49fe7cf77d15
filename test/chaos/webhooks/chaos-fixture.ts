import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { createKey } from '../../../commands/accounts/api-keys.ts'
import { createAccount } from '../../../commands/accounts/create-account.ts'
import { openDatabase, type Database } from '../../../db/database.ts'
import { insertVideo } from '../../../db/videos/write-videos.ts'
import type { SubscribableEventType } from '../../../domain/webhooks/events.ts'
import { readRuntime } from '../../../processes/runtime-file.ts'
import { DEFAULT_NAMESPACES } from '../../../scripts/temporal-namespace.ts'
import { parseMasterKeys } from '../../../security/sealing/sealing.ts'
import { startService, type RunningService } from '../../fixtures/running-service.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { responsesFor } from './response-script.ts'

/** The whole service, its database, and accounts whose endpoints share one receiver. */
export interface ChaosFixture {
  seed: number
  service: RunningService
  db: Database
  receiver: Receiver
  accounts: ChaosAccount[]
  temporal: Client
  close(): Promise<void>
}

export interface ChaosAccount {
  accountId: number
  apiKey: string
  videoId: string
}

const ACCOUNTS = 4

/** The event types of each endpoint; an event has one delivery for each endpoint with its type. */
const SUBSCRIPTIONS: SubscribableEventType[][] = [
  ['video.ready', 'caption.ready'],
  ['video.ready', 'video.created', 'caption.ready'],
  ['video.created', 'caption.ready'],
]

export const deliveriesOfOne = (type: SubscribableEventType): number =>
  SUBSCRIPTIONS.filter((types) => types.includes(type)).length

export async function openChaosFixture(folder: string, seed: number): Promise<ChaosFixture> {
  const opened: { db?: Database } = {}
  const receiver = await openReceiver({
    folder,
    numberOf: async (id) => (await attemptCountOf(opened.db, id)) + 1,
    responseTo: (id, number) => responsesFor(seed, id)[number - 1] ?? 'ok',
  })
  const service = await startService(join(folder, 'data'), { EGRESS_CA_FILE: receiver.caFile })
  const runtime = await readRuntime(service.data_dir)
  const db = await openDatabase({ url: runtime?.databaseUrl ?? '', poolSize: 8 })
  opened.db = db
  const accounts: ChaosAccount[] = []
  for (let made = 0; made < ACCOUNTS; made += 1)
    accounts.push(await makeAccount(db, service, receiver))
  // Lazily, because its server is killed repeatedly.
  const connection = Connection.lazy({ address: service.temporal })
  const temporal = new Client({ connection, namespace: DEFAULT_NAMESPACES.deliveries })
  return {
    seed,
    service,
    db,
    receiver,
    accounts,
    temporal,
    async close() {
      await Promise.all([db.close(true), connection.close()])
      await service.stop()
      await receiver.close()
    },
  }
}

async function attemptCountOf(db: Database | undefined, id: number): Promise<number> {
  const rows = await db?.em
    .fork()
    .execute<{ count: number }[]>(
      'select attempt_count as count from webhook_delivery where id = ?',
      [id],
    )
  const count = rows?.[0]?.count
  if (count === undefined) throw new Error(`there is no delivery ${id}`)
  return count
}

async function makeAccount(
  db: Database,
  service: RunningService,
  receiver: Receiver,
): Promise<ChaosAccount> {
  const em = db.em.fork()
  const masterKeys = parseMasterKeys(
    (await readFile(join(service.data_dir, 'master.key'), 'utf8')).trim(),
  )
  const plan = { name: 'Chaos', protection: 'clearkey', storageLimitBytes: null } as const
  const accountId = await createAccount(em, masterKeys, plan)
  const apiKey = await createKey(em, { accountId, scopes: ['webhooks:write', 'videos:write'] })
  const videoId = crypto.randomUUID().replaceAll('-', '').slice(0, 20)
  await insertVideo(em, {
    id: videoId,
    accountId,
    title: 'A lesson',
    description: '',
    folderId: null,
    sourceUrl: 'https://files.example/lesson.mp4',
    protection: 'clearkey',
    keepOriginal: false,
    reservedBytes: 0,
  })
  // This run needs no ingest.
  await em.execute(`update video set status = 'ready' where id = ?`, [videoId])
  for (const events of SUBSCRIPTIONS) {
    const path = `/hook/${receiver.secrets.size}`
    const response = await post(service, apiKey, '/v1/webhook-endpoints', {
      url: receiver.baseUrl + path,
      events,
    })
    if (response.status !== 201) throw new Error(`no endpoint: ${await response.text()}`)
    receiver.secrets.set(path, ((await response.json()) as { secret: string }).secret)
  }
  return { accountId, apiKey, videoId }
}

/** Sends a POST of an account; rejects if the api process does not run. */
export const post = (
  { api }: Pick<RunningService, 'api'>,
  apiKey: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(api + path, {
    method: 'POST',
    headers: {
      ...headers,
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  })
