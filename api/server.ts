import { unreadableBody } from '../http/api-error.ts'
import { createLongPolls } from '../http/long-polls.ts'
import { Bodies } from '../processes/bodies/read-body.ts'
import { recordCollections } from '../processes/monitoring/record.ts'
import { taskQueueCollection } from '../processes/monitoring/task-queues.ts'
import { openEgress } from '../processes/open-egress.ts'
import { serve } from '../processes/serve.ts'
import { createStorage, limitParts } from '../storage/object-storage.ts'
import { createApp } from './app.ts'

// 48 MiB: one upload at the speed of a core gathers a part while another is stored, and a slow one has the third.
const UPLOAD_PARTS = 3

limitParts(UPLOAD_PARTS)

serve({
  name: 'api',
  address: (config) => ({ host: config.API_HOST, port: config.API_PORT }),
  // The API reads what concerns the whole installation, so that more workers and players do not repeat it.
  collections: ({ config, db, beforeStop }) => [
    ...recordCollections(db),
    taskQueueCollection(config, beforeStop),
  ],
  // The body of an upload may take hours; all others have a deadline of their own (`Bodies`).
  requestTimeoutMs: 0,
  refusalBody: ({ API_BASE_URL: apiBase }) => unreadableBody(apiBase),
  createApp: async ({ config, logger, db, masterKeys, stopping }) =>
    createApp({
      db,
      masterKeys,
      egress: await openEgress(config, logger),
      bodies: new Bodies(),
      apiBase: config.API_BASE_URL,
      rateLimits: {
        perMinute: config.API_REQUESTS_PER_MINUTE,
        perDay: config.API_REQUESTS_PER_DAY,
      },
      embedBase: config.EMBED_BASE_URL,
      stripeWebhookSecret: config.STRIPE_WEBHOOK_SECRET ?? null,
      hasDrmProvider: config.hasDrmProvider,
      storage: createStorage(config.storage),
      uploads: config.uploads,
      longPolls: createLongPolls(stopping),
      logger,
      trustedProxies: config.TRUSTED_PROXIES,
    }),
})
