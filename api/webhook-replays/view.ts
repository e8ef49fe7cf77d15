import type { z } from 'zod'
import type { ReplayDetails } from '../../db/webhook-replays.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import type { replaySchema } from './schemas.ts'

/** The webhook replay object. */
export const replayView = ({
  replay,
  deliveries,
}: ReplayDetails): z.output<typeof replaySchema> => ({
  id: replay.id,
  object: 'webhook_replay',
  endpoint_id: replay.endpointId,
  since: isoUtc(replay.since),
  until: isoUtc(replay.until),
  status: replay.status,
  state: replay.state,
  event_count: replay.eventCount,
  scanned_count: replay.scannedCount,
  deliveries,
  created_at: isoUtc(replay.createdAt),
  completed_at: replay.completedAt && isoUtc(replay.completedAt),
})
