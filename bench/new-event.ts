import { randomBytes } from 'node:crypto'
import type { NewEventRow } from '../db/webhooks/write-events.ts'

/** An event without content. */
export const newEvent = (accountId: number): NewEventRow => ({
  id: `evt_${randomBytes(16).toString('hex')}`,
  accountId,
  type: 'video.ready',
  body: '{}',
  requestId: null,
  createdAt: new Date(),
})
