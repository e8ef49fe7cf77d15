import { openEgress } from '../open-egress.ts'
import { serve } from '../serve.ts'
import { createApp } from './app.ts'

serve({
  name: 'api',
  address: (config) => ({ host: config.API_HOST, port: config.API_PORT }),
  createApp: async ({ config, logger, db, masterKeys }) =>
    createApp({
      db,
      masterKeys,
      egress: await openEgress(config, logger),
      embedBase: config.EMBED_BASE_URL,
      logger,
      trustedProxies: config.TRUSTED_PROXIES,
    }),
})
