import { existsSync } from 'node:fs'
import type { Router } from 'express'
import type { Config } from '../../config/config.ts'
import { openInstallationState, type InstallationState } from '../../doctor/read-state.ts'
import { unreadableBody } from '../../http/api-error.ts'
import { createLongPolls } from '../../http/long-polls.ts'
import { Bodies } from '../../processes/bodies/read-body.ts'
import { openEgress } from '../../processes/open-egress.ts'
import { serve, type Foundation } from '../../processes/serve.ts'
import type { WorkflowsUrl } from '../../views/members/me.ts'
import { createDashboardApp } from './app.ts'
import { REQUEST_LIMITS } from './middleware/request-limit.ts'

/** Starts the dashboard as this process, with the app for the browser that `load` returns for PREBUILT_DIR. */
export const startDashboard = (load: (prebuiltDir: string) => Promise<Router>): void =>
  serve({
    name: 'dashboard',
    address: (config) => ({ host: config.DASHBOARD_HOST, port: config.DASHBOARD_PORT }),
    refusalBody: ({ API_BASE_URL: apiBase }) => unreadableBody(apiBase),
    createApp: async (foundation) => {
      const { config, logger, db, masterKeys, stopping, beforeStop } = foundation
      const installation = openInstallation(foundation)
      beforeStop(() => installation.close())
      return createDashboardApp({
        db,
        masterKeys,
        egress: await openEgress(config, logger),
        bodies: new Bodies(),
        requestLimits: REQUEST_LIMITS,
        apiBase: config.API_BASE_URL,
        embedBase: config.EMBED_BASE_URL,
        dashboardBase: config.DASHBOARD_BASE_URL,
        serviceDomains: config.serviceDomains,
        directPlayBase: config.DIRECT_PLAY_BASE ?? null,
        workflowsUrl: workflowsUrlOf(config),
        installation,
        hasDrmProvider: config.hasDrmProvider,
        uploads: config.uploads,
        longPolls: createLongPolls(stopping),
        webRouter: await load(config.PREBUILT_DIR),
        logger,
        trustedProxies: config.TRUSTED_PROXIES,
      })
    },
  })

const openInstallation = ({ config, db, masterKeys }: Foundation): InstallationState =>
  openInstallationState({
    config,
    dataDir: config.REELGATE_DATA_DIR,
    runtime: null,
    storage: reachableStorage(config),
    entityManager: async () => db.em.fork(),
    uncheckedMasterKeys: async () => masterKeys,
    temporalAddress: () => config.TEMPORAL_ADDRESS,
  })

/** Null if this process knows neither a bucket nor the folder of the objects: it serves none of them. */
const reachableStorage = ({ storage }: Config): Config['storage'] | null =>
  storage.driver === 's3' || existsSync(storage.dir) ? storage : null

function workflowsUrlOf({ temporalUiBase, namespaces }: Config): WorkflowsUrl | null {
  if (temporalUiBase === null) return null
  const urlOf = (namespace: string) =>
    `${temporalUiBase}/namespaces/${encodeURIComponent(namespace)}/workflows`
  return { main: urlOf(namespaces.main), deliveries: urlOf(namespaces.deliveries) }
}
