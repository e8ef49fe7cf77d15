import type { EventData, EventEnvelope, EventType } from '../../domain/events.ts'

const video = { id: '3f1c9a7be04d5628c1d0', object: 'video' } as const

/** The `data` of an event of each type, as an integrator may get it. */
const DATA: EventData = {
  'video.created': { ...video, status: 'processing' },
  'video.ready': { ...video, status: 'ready' },
  'video.failed': { ...video, status: 'failed', error: 'The link did not answer.' },
  'video.deleted': video,
  'caption.ready': { ...video, captions: [{ label: 'Português', language_code: 'pt-BR' }] },
  'security.event': {
    ...{ id: 17, object: 'security_event', event_type: 'viewer_token_required' },
    ...{ severity: 'medium', video_id: video.id, viewer_id: null },
  },
  'payment.paid': {
    ...{ id: 3, object: 'payment', amount: 4900, plan_type: 'pro', billing_cycle: 'monthly' },
  },
  'usage.threshold_reached': {},
  'webhook.test': { object: 'test', message: 'A test of this endpoint.' },
}

/** A whole event of a type, for the documentation; a test holds each against its schema. */
export const exampleOf = <T extends EventType>(type: T): EventEnvelope<T> => ({
  id: 'evt_3f1c9a7be04d5628c1d05f0c2f7be04d',
  type,
  created_at: '2026-11-21T09:30:00.000Z',
  data: DATA[type],
})
