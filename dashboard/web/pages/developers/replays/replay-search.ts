import { rowIdOf } from '../../../api/cursors.ts'
import type { ReplayStatus } from '../../../api/webhooks.ts'

export const REPLAY_KINDS: readonly ReplayStatus[] = ['failed', 'missing', 'delivered']

/** What the dialog that starts a replay begins with, as in its address. */
export interface ReplaySearch {
  endpoint?: number
  kind?: ReplayStatus
}

export const replaySearch = ({ endpoint, kind }: Record<string, unknown>): ReplaySearch => ({
  endpoint: rowIdOf(endpoint),
  kind: REPLAY_KINDS.find((one) => one === kind),
})
