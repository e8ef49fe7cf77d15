import type { EventData } from './events.ts'

/** The `data` of an event of each type, as an integrator may get it; of this video where it is of one. */
export function exampleEventData(videoId: string): EventData {
  const video = { id: videoId, object: 'video' } as const
  return {
    'video.created': { ...video, status: 'processing' },
    'video.ready': { ...video, status: 'ready' },
    'video.failed': { ...video, status: 'failed', error: 'The link did not answer.' },
    'video.deleted': video,
    'caption.ready': { ...video, captions: [{ label: 'Portuguese', language_code: 'pt-BR' }] },
    'security.event': {
      ...{ id: 17, object: 'security_event', event_type: 'viewer_token_required' },
      ...{ severity: 'medium', video_id: video.id, viewer_id: null },
    },
    'payment.paid': {
      ...{ id: 3, object: 'payment', amount: 4900, plan_type: 'pro', billing_cycle: 'monthly' },
    },
    'usage.threshold_reached': {},
    'webhook.test': { object: 'test', message: 'A test of this webhook endpoint.' },
  }
}
