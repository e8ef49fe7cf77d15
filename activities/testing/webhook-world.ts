import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { createAccount } from '../../db/accounts.ts'
import { openDatabase } from '../../db/database.ts'
import type { Database } from '../../db/database.ts'
import { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../../db/entities/event.ts'
import type { EventType } from '../../domain/events.ts'
import { appendEvent, appendEventFor } from '../../outbox/append/append-event.ts'
import { parseMasterKeys, seal } from '../../security/sealing.ts'
import type { MasterKeys } from '../../security/sealing.ts'
import { createWebhookSecret } from '../../security/webhook-signature.ts'
import { createTestDatabase } from '../../test/services/index.ts'

/** An account with its own database, in which tests make endpoints and deliveries. */
export interface WebhookWorld {
  db: Database
  databaseUrl: string
  masterKeys: MasterKeys
  accountId: number
  /** Adds an endpoint that is subscribed to video.ready and security.event. */
  addEndpoint(
    url: string,
    fields?: Partial<
      Pick<WebhookEndpoint, 'accountId' | 'isActive' | 'failureCount' | 'lastSuccessAt'>
    >,
  ): Promise<{ id: number; secret: string }>
  /** Adds another account; its id. */
  addAccount(): Promise<number>
  /** Appends video.ready as the product does; the ids of its deliveries, by endpoint. */
  announce(): Promise<number[]>
  /** Appends an event for one endpoint alone. */
  announceTo(
    endpointId: number,
    type?: EventType,
    accountId?: number,
  ): Promise<{ eventId: string; deliveryId: number }>
  delivery(id: number): Promise<WebhookDelivery>
  endpoint(id: number): Promise<WebhookEndpoint>
  attempts(deliveryId: number): Promise<WebhookAttempt[]>
  sealSecret(secret: string): string
  execute<T>(sql: string, parameters?: unknown[]): Promise<T[]>
  close(): Promise<void>
}

const VIDEO_ID = 'a'.repeat(20)

export async function createWebhookWorld(): Promise<WebhookWorld> {
  const database = await createTestDatabase()
  const db = await openDatabase({ url: database.url })
  const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))
  const em = () => db.em.fork()
  const addAccount = () =>
    createAccount(em(), {
      name: 'Test',
      protection: 'clearkey',
      storageLimitBytes: null,
      sealSigningSecret: (id) => seal(masterKeys, 'f'.repeat(64), `signing-secret:${id}`),
    })
  const accountId = await addAccount()
  const sealSecret = (secret: string, owner = accountId) =>
    seal(masterKeys, secret, `webhook-endpoint:${owner}`)
  const data = { id: VIDEO_ID, object: 'video', status: 'ready' } as const
  const sent = { accountId, type: 'video.ready', data } as const
  return {
    db,
    databaseUrl: database.url,
    masterKeys,
    accountId,
    async addEndpoint(url, fields = {}) {
      const secret = createWebhookSecret()
      const events: EventType[] = ['video.ready', 'security.event']
      const sealedSecret = sealSecret(secret, fields.accountId)
      const row = { accountId, url, events, sealedSecret, ...fields }
      return { id: await em().insert(WebhookEndpoint, row), secret }
    },
    async announce() {
      const eventId = await em().transactional((tx) => appendEvent(tx, sent))
      const rows = await em().find(WebhookDelivery, { eventId }, { orderBy: { endpointId: 'asc' } })
      return rows.map(({ id }) => id)
    },
    addAccount,
    announceTo: (endpointId, type = 'video.ready', owner = accountId) =>
      em().transactional((tx) =>
        type === 'webhook.test'
          ? appendEventFor(tx, endpointId, {
              accountId: owner,
              type,
              data: { object: 'test', message: 'A test' },
            })
          : appendEventFor(tx, endpointId, { ...sent, accountId: owner }),
      ),
    delivery: (id) => em().findOneOrFail(WebhookDelivery, { id }),
    endpoint: (id) => em().findOneOrFail(WebhookEndpoint, { id }),
    attempts: (deliveryId) =>
      em().find(WebhookAttempt, { deliveryId }, { orderBy: { number: 'asc' } }),
    sealSecret,
    execute: (sql, parameters = []) => em().execute(sql, parameters),
    async close() {
      await db.close(true)
      await database.drop()
    },
  }
}

/** One request as a receiver saw it. */
interface Received {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

/** A listener for an https server that keeps what it receives and answers as it is told at the time. */
export function createReceiver() {
  const received: Received[] = []
  const receiver = {
    received,
    answer: (response: ServerResponse): void => void response.end('ok'),
    listener: ((request, response) => {
      void text(request).then((body) => {
        const { method = '', url = '', headers } = request
        received.push({ method, url, headers, body, atMs: Date.now() })
        receiver.answer(response)
      })
    }) satisfies RequestListener,
  }
  return receiver
}
