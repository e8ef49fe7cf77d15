import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createPurgeExpired } from './purge-expired.ts'
import { openWebhookFixture } from '../test/fixtures/webhooks.ts'
import type { WebhookFixture } from '../test/fixtures/webhooks.ts'

let fixture: WebhookFixture

beforeAll(async () => {
  fixture = await openWebhookFixture()
})
afterAll(() => fixture.close())

const purge = () => new MockActivityEnvironment().run(createPurgeExpired(fixture))

it('forgets the answers of Idempotency-Keys after 24 hours, in batches, and harmlessly twice', async () => {
  await fixture.execute(
    `insert into idempotency_record (account_id, route, key, fingerprint, locked_until, created_at)
     select ${fixture.accountId}, 'POST /v1/videos', n::text, '', now(),
       now() - interval '24 hours' + (case when n <= 2500 then -1 else 1 end) * interval '1 minute'
     from generate_series(1, 2503) n`,
  )
  expect(await purge()).toBe(2500)
  expect(await purge()).toBe(0)
  expect(await fixture.execute('select key from idempotency_record')).toHaveLength(3)
})
