import type { Router } from 'express'
import { createLongPolls } from '../../api/long-polls.ts'
import type { Config } from '../../config.ts'
import { normaliseHost } from '../../domain/host-name.ts'
import { openEgress } from '../../processes/open-egress.ts'
import { serve } from '../../processes/serve.ts'
import { createDashboardApp } from './app.ts'

/** Starts the dashboard as this process, with the app for the browser that `load` returns. */
export const startDashboard = (load: () => Promise<Router>): void =>
  serve({
    name: 'dashboard',
    address: (config) => ({ host: config.DASHBOARD_HOST, port: config.DASHBOARD_PORT }),
    createApp: async ({ config, logger, db, masterKeys, stopping }) =>
      createDashboardApp({
        db,
        masterKeys,
        egress: await openEgress(config, logger),
        apiBase: config.API_BASE_URL,
        embedBase: config.EMBED_BASE_URL,
        dashboardBase: config.DASHBOARD_BASE_URL,
        serviceDomains: config.serviceDomains,
        directPlayHost: normaliseHost(config.DIRECT_PLAY_BASE ?? ''),
        workflowsUrl: workflowsUrlOf(config),
        hasDrmProvider: config.hasDrmProvider,
        longPolls: createLongPolls(stopping),
        webRouter: await load(),
        logger,
        trustedProxies: config.TRUSTED_PROXIES,
      }),
  })

function workflowsUrlOf({ temporalUiBase, TEMPORAL_NAMESPACE: namespace }: Config): string | null {
  if (temporalUiBase === null) return null
  return `${temporalUiBase}/namespaces/${encodeURIComponent(namespace)}/workflows`
}
