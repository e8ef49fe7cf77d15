import type { Router } from 'express'
import type { InstallationState } from '../../doctor/read-state.ts'
import { normaliseHost } from '../../domain/host-name.ts'
import type { OperationDeps } from '../../http/deps.ts'
import type { WorkflowsUrl } from '../../views/members/me.ts'
import type { RequestLimits } from './middleware/request-limit.ts'

/** What the dashboard needs from the start of its process. */
export interface DashboardDeps extends OperationDeps {
  /** Where members reach the dashboard, without a slash at the end. */
  dashboardBase: string
  /** The operator's hosts, which may always embed. */
  serviceDomains: readonly string[]
  /** Address of the Direct Play pages, without a slash at the end; null if they are off. */
  directPlayBase: string | null
  /** Where workflows are in the Web UI of Temporal; null if it is not known. */
  workflowsUrl: WorkflowsUrl | null
  /** What operators read of the running installation. */
  installation: InstallationState
  /** Sends the app that runs in the browser: its files, and its page at every address below /accounts. */
  webRouter: Router
  /** Requests of members that this process takes in a minute. */
  requestLimits: RequestLimits
  /** How many proxies in front of the dashboard are trusted for X-Forwarded-*. */
  trustedProxies: number
}

/** The host on which members see players in the dashboard. */
export const dashboardHostOf = ({ dashboardBase }: DashboardDeps): string =>
  normaliseHost(dashboardBase) ?? ''
