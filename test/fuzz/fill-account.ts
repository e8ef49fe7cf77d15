import { appendEvent } from '../../commands/events.ts'
import type { Database } from '../../db/database.ts'

/** Values that the fuzzer could not guess, by the name of their dictionary. */
export type KnownValues = Record<
  | 'videos'
  | 'languages'
  | 'chapters'
  | 'moments'
  | 'folders'
  | 'endpoints'
  | 'deliveries'
  | 'events'
  | 'waits'
  | 'sources'
  | 'tracks'
  | 'hooks',
  (string | number)[]
>

interface Account {
  accountId: number
  apiKey: string
  /** Base URL of the integrator's own server. */
  outside: string
}

/** Creates one of each resource: through the API if it can, otherwise as rows. */
export async function fillAccount(
  db: Database,
  baseUrl: string,
  { accountId, apiKey, outside }: Account,
): Promise<KnownValues> {
  const post = async (path: string, body: object): Promise<string> => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${baseUrl}/v1${path}`, request)
    const json = (await response.json()) as { id: string; data?: { id: string }[] }
    if (!response.ok) throw new Error(`POST ${path}: ${JSON.stringify(json)}`)
    // The response to a new chapter is the whole list.
    return json.data?.[0]?.id ?? json.id
  }
  const sources = [`${outside}/files/lesson.mp4`]
  const tracks = [`${outside}/files/captions.vtt`]
  const hooks = [`${outside}/hook`]
  const folder = await post('/folders', { name: 'A folder' })
  const queued = await post('/videos', { source_url: sources[0], folder_id: folder })
  const ready = await post('/videos', { source_url: sources[0], title: 'Ready' })
  const below = `/videos/${ready}`
  await post(`${below}/captions`, { language_code: 'en', label: 'English', source_url: tracks[0] })
  const chapter = await post(`${below}/chapters`, { title: 'One', start: 0, end: 10 })
  await post(`${below}/chapters`, { title: 'Two', start: 10, end: 20 })
  const moment = await post(`${below}/moments`, { label: 'There', timestamp: 5 })
  const endpoint = await post('/webhook-endpoints', { url: hooks[0], events: ['video.ready'] })
  await db.em.fork().execute(
    `update video set status = 'ready', duration_ms = 60000, size_bytes = 1000, width = 1920,
       height = 1080, has_poster = true, has_storyboard = true where id = ?`,
    [ready],
  )
  const known = await insertDeliveries(db, accountId, Number(endpoint), ready)
  return {
    videos: [queued, ready],
    languages: ['en'],
    chapters: [chapter],
    moments: [moment],
    folders: [folder],
    endpoints: [endpoint],
    sources,
    tracks,
    hooks,
    ...known,
    // Longer waits would take all the time of the run.
    waits: [0, 1],
  }
}

/** One event with a delivery of each status, with attempts, and security events. */
async function insertDeliveries(
  db: Database,
  accountId: number,
  endpointId: number,
  videoId: string,
): Promise<Pick<KnownValues, 'events' | 'deliveries'>> {
  const em = db.em.fork()
  const eventId = await appendEvent(em, {
    accountId,
    // The endpoint does not subscribe to this type, so its deliveries are inserted here.
    type: 'video.created',
    data: { id: videoId, object: 'video', status: 'processing' },
  })
  const rows = await em.execute<{ id: number }[]>(
    `insert into webhook_delivery (account_id, endpoint_id, event_id, event_type, status,
       attempt_count, next_retry_at, error_code, completed_at)
     values (?, ?, ?, 'video.created', 'pending', 1, now(), null, null),
       (?, ?, ?, 'video.created', 'delivered', 2, null, null, now()),
       (?, ?, ?, 'video.created', 'failed', 5, null, 'timeout', now())
     returning id`,
    [1, 2, 3].flatMap(() => [accountId, endpointId, eventId]),
  )
  await em.execute(
    `insert into webhook_attempt (delivery_id, number, started_at, duration_ms, response_status,
       error_code, response_body, remote_ip, timings)
     select id, 1, now(), 12, case when status = 'delivered' then 200 end,
       case when status = 'delivered' then null else 'timeout' end, 'body', '127.0.0.1', '{}'
     from webhook_delivery where event_id = ?`,
    [eventId],
  )
  await em.execute(
    `insert into security_event (account_id, event_type, severity, video_id, viewer_id, details)
     values (?, 'token_forged', 'high', ?, null, '{}'), (?, 'token_forged', 'low', null, 'v', '{}')`,
    [accountId, videoId, accountId],
  )
  return { events: [eventId], deliveries: rows.map(({ id }) => id) }
}
