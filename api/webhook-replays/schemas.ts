import { z } from 'zod'
import { rowId } from '../../views/values.ts'
import { replayStatus } from '../../views/webhook-replay.ts'
import { listQuery, rowIdInQuery, rowIdParameter } from '../list.ts'
import { instant } from '../text.ts'

/** Body of POST /v1/webhook-replays. */
export const createReplayBody = z.strictObject({
  since: instant('Events from then on; at most 90 days back.'),
  until: instant('Events before then; now by default.').optional(),
  endpoint_id: rowId.optional().meta({ description: 'Every active endpoint by default.' }),
  status: replayStatus.optional().meta({ default: 'failed' }),
})

export const replayIdParameter = rowIdParameter('webhook_replay_not_found')
export const listReplaysQuery = listQuery(rowIdInQuery, {})
