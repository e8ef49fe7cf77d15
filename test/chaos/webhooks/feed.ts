import { setTimeout as sleep } from 'node:timers/promises'
import { appendEvent } from '../../../commands/events.ts'
import { createRandom } from '../random.ts'
import { deliveriesOfOne, post, type ChaosAccount, type ChaosFixture } from './chaos-fixture.ts'

/** Limit of deliveries that wait for their first attempt, so that kills hit running work, not a queue. */
const WAITING_MAX = 120
const TOGETHER_MAX = 8
const LOOK_AGAIN_MS = 50

/** The share of deliveries that begin with a request to the API. */
const API_SHARE = 0.15

/** Plans the work for about `deliveries`; the number varies because an event has several deliveries. */
export function planFeed(deliveries: number): {
  events: number
  posts: number
  deliveries: number
} {
  const posts = Math.round((deliveries * API_SHARE) / deliveriesOfOne('caption.ready'))
  const byPosts = posts * deliveriesOfOne('caption.ready')
  const events = Math.round((deliveries - byPosts) / deliveriesOfOne('video.ready'))
  return { events, posts, deliveries: byPosts + events * deliveriesOfOne('video.ready') }
}

/** Appends events as the product does, several in one transaction, within the limit of waiting deliveries. Returns their ids. */
export async function feedEvents(fixture: ChaosFixture, events: number): Promise<string[]> {
  const random = createRandom(fixture.seed, 'events')
  const ids: string[] = []
  while (ids.length < events) {
    await room(fixture)
    const together = Math.min(1 + random.int(TOGETHER_MAX), events - ids.length)
    await fixture.db.em.fork().transactional(async (tx) => {
      for (let made = 0; made < together; made += 1) {
        const account = fixture.accounts[random.int(fixture.accounts.length)]
        const { accountId = 0, videoId: id = '' } = account ?? {}
        const [type, status] = random.pick([
          ['video.ready', 'ready'],
          ['video.created', 'processing'],
        ] as const)
        ids.push(await appendEvent(tx, { accountId, type, data: { id, object: 'video', status } }))
      }
    })
  }
  return ids
}

async function room({ db }: ChaosFixture): Promise<void> {
  for (;;) {
    const rows = await db.em.fork().execute<{ count: number }[]>(
      `select count(*)::int as count from webhook_delivery
         where status = 'pending' and attempt_count = 0`,
    )
    if ((rows[0]?.count ?? 0) < WAITING_MAX) return
    await sleep(LOOK_AGAIN_MS)
  }
}

/**
 * Adds captions through the API; each causes a caption.ready. All accounts send requests concurrently.
 * Each request has an Idempotency-Key and is repeated until it gets a response. `onPost` receives the
 * number of requests begun.
 */
export async function feedPosts(
  fixture: ChaosFixture,
  posts: number,
  onPost: (begun: number) => void,
): Promise<void> {
  let begun = 0
  const poster = async (account: ChaosAccount): Promise<void> => {
    while (begun < posts) {
      begun += 1
      onPost(begun)
      await postUntilResponse(fixture, account, `Track ${begun}`)
      await room(fixture)
    }
  }
  await Promise.all(fixture.accounts.map(poster))
}

async function postUntilResponse(
  { service }: ChaosFixture,
  { apiKey, videoId }: ChaosAccount,
  label: string,
): Promise<void> {
  const path = `/v1/videos/${videoId}/captions`
  const body = {
    language_code: 'en',
    label,
    content: 'WEBVTT\n\n00:00.000 --> 00:02.000\nHello.\n',
  }
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  for (;;) {
    const response = await post(service, apiKey, path, body, headers).catch(() => null)
    if (response?.ok) return void (await response.text().catch(() => ''))
    // 409: the interrupted request still holds the key.
    if (response && response.status !== 409)
      throw new Error(`POST ${path} responded with ${response.status}: ${await response.text()}`)
    await sleep(LOOK_AGAIN_MS)
  }
}
