import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { MockActivityEnvironment } from '@temporalio/testing'
import { pino } from 'pino'
import type { Page } from 'playwright-core'
import { createSendWebhook } from '../../activities/webhooks/send-webhook.ts'
import { createApp } from '../../api/app.ts'
import { createKey } from '../../commands/accounts/api-keys.ts'
import { appendEvent } from '../../commands/events.ts'
import type { Role } from '../../domain/accounts/roles.ts'
import type { SendWebhookInput } from '../../domain/webhooks/webhook-delivery.ts'
import { createLongPolls } from '../../http/long-polls.ts'
import { Bodies } from '../../processes/bodies/read-body.ts'
import { createStorage } from '../../storage/object-storage.ts'
import { cookieName, openDashboardFixture, type DashboardFixture } from '../fixtures/dashboard.ts'
import { loadBundledWeb } from '../fixtures/web.ts'
import { closeServer } from '../infrastructure/close-server.ts'
import { openParts } from '../infrastructure/open-parts.ts'
import { startTestNetwork } from '../infrastructure/test-network.ts'
import { createReceiver, type WebhookReceiver } from '../infrastructure/webhook-receiver.ts'
import { PLAIN } from './dashboard-looks.ts'
import { openWatchedBrowser, type Look, type WatchedBrowser } from './watched-browser.ts'

/** The dashboard with the API, a receiver of webhooks at hooks.test, and what makes attempts. */
export interface DeveloperFixture extends DashboardFixture {
  browser: WatchedBrowser
  receiver: WebhookReceiver
  /** The address of the receiver. */
  hookUrl: string
  /** The address of the API. */
  apiBase: string
  /** Address of the pages of the account, or of the other one. */
  pages: (accountId?: number) => string
  cookieOf: (memberId: number) => Promise<{ name: string; value: string }>
  /** Opens a page below /developers as a member of the account. */
  open: (path: string, role?: Role, look?: Look) => Promise<Page>
  addEndpoint: (path?: string) => Promise<{ id: number; secret: string }>
  addKey: (name: string) => Promise<void>
  /** Appends video.ready for the account. */
  announce: () => Promise<void>
  /** Makes the first attempt of each delivery that waits for it; `manual`: the next one of all that wait. */
  deliver: (trigger?: SendWebhookInput['trigger']) => Promise<void>
  close: () => Promise<void>
}

export const openDeveloperFixture = (): Promise<DeveloperFixture> => openParts(openDeveloperParts)

async function openDeveloperParts(
  parts: AsyncDisposableStack,
): Promise<Omit<DeveloperFixture, 'close'>> {
  const webRouter = await loadBundledWeb()
  const network = parts.adopt(await startTestNetwork(), (opened) => opened.close())
  const receiver = createReceiver()
  const { port } = await network.serveHttps(['hooks.test'], receiver.listener)
  network.dns.set('hooks.test', ['127.0.0.1'])
  const hookUrl = `https://hooks.test:${port}/hook`
  const egress = network.egress()
  const api = parts.adopt(createServer().listen(0, '127.0.0.1'), closeServer)
  await once(api, 'listening')
  const apiBase = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  const fixture = await openDashboardFixture(() => ({ webRouter, egress, apiBase }))
  parts.defer(() => fixture.close())
  const browser = parts.adopt(await openWatchedBrowser(), (opened) => opened.close())
  const { accountId, members, dashboardBase: base } = fixture
  api.on('request', apiOf(fixture, egress, apiBase))
  const pages = (account = accountId): string => `${base}/accounts/${account}`
  const cookieOf = async (memberId: number) => {
    const value = await fixture.startSession(memberId)
    return { name: cookieName(base), value }
  }
  const logger = pino({ level: 'silent' })
  const { db, masterKeys } = fixture
  const send = createSendWebhook({ db, masterKeys, egress, logger })
  return {
    ...fixture,
    browser,
    receiver,
    hookUrl,
    apiBase,
    pages,
    cookieOf,
    open: async (path, role = 'owner', look = PLAIN) =>
      browser.open(`${pages()}/developers${path}`, look, await cookieOf(members[role].id)),
    async addEndpoint(path = '') {
      const body = { url: hookUrl + path, events: ['video.ready'], description: 'Library' }
      const { json } = await fixture.call('owner', 'POST', '/v1/webhook-endpoints', { body })
      return { id: Number(json.id), secret: String(json.secret) }
    },
    async addKey(name) {
      await createKey(fixture.em(), { accountId, name, scopes: ['videos:read', 'folders:read'] })
    },
    async announce() {
      const data = { id: 'a'.repeat(20), object: 'video', status: 'ready' } as const
      const event = { accountId, type: 'video.ready', data } as const
      await fixture.em().transactional((tx) => appendEvent(tx, event))
    },
    async deliver(trigger = 'schedule') {
      const due = await fixture.execute<{ deliveryId: number; number: number }>(
        `select id as "deliveryId", attempt_count + 1 as number from webhook_delivery
         where status = 'pending' and (next_retry_at is null or ?)`,
        [trigger === 'manual'],
      )
      for (const { deliveryId, number } of due)
        await new MockActivityEnvironment().run(send, { deliveryId, number, trigger })
    },
  }
}

const apiOf = (
  { db, masterKeys }: DashboardFixture,
  egress: Parameters<typeof createApp>[0]['egress'],
  apiBase: string,
) =>
  createApp({
    db,
    masterKeys,
    egress,
    apiBase,
    embedBase: 'https://play.example',
    rateLimits: { perMinute: 1_000, perDay: 1_000 },
    bodies: new Bodies(),
    longPolls: createLongPolls(new AbortController().signal),
    hasDrmProvider: false,
    storage: createStorage({ driver: 'folder', dir: tmpdir() }),
    uploads: { base: apiBase, openMax: 20 },
    stripeWebhookSecret: null,
    trustedProxies: 0,
    logger: pino({ level: 'silent' }),
  })
