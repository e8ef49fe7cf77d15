import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createPurgeExpired } from './purge-expired.ts'
import { createWebhookWorld } from '../test/fixtures/webhooks.ts'
import type { WebhookWorld } from '../test/fixtures/webhooks.ts'

let world: WebhookWorld

beforeAll(async () => {
  world = await createWebhookWorld()
})
afterAll(() => world.close())

const purge = () => new MockActivityEnvironment().run(createPurgeExpired(world))

it('forgets the answers of Idempotency-Keys after 24 hours, in batches, and harmlessly twice', async () => {
  await world.execute(
    `insert into idempotency_record (account_id, route, key, fingerprint, locked_until, created_at)
     select ${world.accountId}, 'POST /v1/videos', n::text, '', now(),
       now() - interval '24 hours' + (case when n <= 2500 then -1 else 1 end) * interval '1 minute'
     from generate_series(1, 2503) n`,
  )
  expect(await purge()).toBe(2500)
  expect(await purge()).toBe(0)
  expect(await world.execute('select key from idempotency_record')).toHaveLength(3)
})
