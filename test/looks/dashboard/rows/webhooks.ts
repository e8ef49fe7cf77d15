import { eventEnvelope, type EventType } from '../../../../domain/webhooks/events.ts'
import { insertRow } from '../../../fixtures/insert-row.ts'
import {
  hexOf,
  HOUR,
  insertOwn,
  minutesBefore,
  turn,
  type FilledAccount,
} from './filled-account.ts'

interface Endpoint {
  url: string
  description: string
  failures?: number
  disabled?: 'owner' | 'failures' | 'gone'
}

export const FAILING_URL = 'https://crm.school.example/reelgate/events'

const ENDPOINTS: readonly Endpoint[] = [
  { url: 'https://www.school.example/hooks/videos', description: 'Library' },
  { url: FAILING_URL, description: 'Customer records', failures: 23 },
  { url: 'https://archive.example/in', description: '', failures: 100, disabled: 'failures' },
  { url: 'https://staging.school.example/hooks', description: 'Tests', disabled: 'owner' },
]

/** Inserts endpoints of which some fail, and their deliveries. */
export async function insertWebhooks(account: FilledAccount, videoId: string): Promise<void> {
  const ids: number[] = []
  for (const [index, { url, description, failures = 0, disabled }] of ENDPOINTS.entries())
    ids.push(
      Number(
        await insertOwn(account, 'webhook_endpoint', {
          url,
          description,
          events: '{video.ready,video.failed,security.event}',
          sealed_secret: 'sealed',
          is_active: disabled === undefined,
          disabled_reason: disabled ?? null,
          failure_count: failures,
          last_success_at: minutesBefore(account, failures > 0 ? 30 * HOUR : 41),
          created_at: minutesBefore(account, (90 - index * 20) * 24 * HOUR),
        }),
      ),
    )
  const [working = 0, failing = 0] = ids
  for (let index = 0; index < 14; index += 1)
    await insertDelivery(account, videoId, { index, working, failing })
}

const TYPES: readonly EventType[] = ['video.ready', 'video.ready', 'video.failed']

async function insertDelivery(
  account: FilledAccount,
  videoId: string,
  { index, working, failing }: { index: number; working: number; failing: number },
): Promise<void> {
  const type = turn(TYPES, index)
  const eventId = `evt_${hexOf(`${account.accountId} event ${index}`, 32)}`
  // The newest has the highest id.
  const createdAt = minutesBefore(account, (14 - index) * 2 * HOUR + 11)
  const data =
    type === 'video.failed'
      ? ({
          id: videoId,
          object: 'video',
          status: 'failed',
          error: 'The link did not respond.',
        } as const)
      : ({ id: videoId, object: 'video', status: 'ready' } as const)
  const body = JSON.stringify(eventEnvelope(eventId, type, createdAt, data))
  await insertOwn(account, 'event', { id: eventId, type, body, created_at: createdAt })
  const common = { event_id: eventId, event_type: type, created_at: createdAt }
  const delivered = await insertOwn(account, 'webhook_delivery', {
    ...common,
    endpoint_id: working,
    status: 'delivered',
    attempt_count: 1,
    completed_at: createdAt,
  })
  await insertAttempt(account, delivered, createdAt, null)
  if (index % 3 !== 2) return
  const isPending = index > 10
  const failed = await insertOwn(account, 'webhook_delivery', {
    ...common,
    endpoint_id: failing,
    status: isPending ? 'pending' : 'failed',
    attempt_count: isPending ? 1 : 1,
    error_code: isPending ? null : 'http_error',
    next_retry_at: isPending ? minutesBefore(account, -3) : null,
    completed_at: isPending ? null : createdAt,
  })
  await insertAttempt(account, failed, createdAt, 'http_error')
}

const insertAttempt = (
  { t }: FilledAccount,
  deliveryId: string,
  startedAt: Date,
  error: 'http_error' | null,
): Promise<string> =>
  insertRow(t, 'webhook_attempt', {
    delivery_id: deliveryId,
    number: 1,
    started_at: startedAt,
    duration_ms: error ? 1_204 : 87,
    response_status: error ? 502 : 200,
    error_code: error,
    error_message: error && 'The receiver responded with the status 502. Look in its log.',
    response_headers: JSON.stringify({ 'content-type': 'text/html' }),
    response_body: error ? '<h1>502 Bad Gateway</h1>' : 'ok',
    response_encoding: 'utf-8',
    remote_ip: '203.0.113.7',
    timings: JSON.stringify({
      dnsMs: 4,
      connectMs: 21,
      tlsMs: 34,
      firstByteMs: error ? 1_145 : 28,
    }),
  })
