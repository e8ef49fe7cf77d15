import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database, EntityManager } from '../../db/database.ts'
import { insertVideoFixture } from '../../test/fixtures/video-rows.ts'
import { openWebhookFixture, type WebhookFixture } from '../../test/fixtures/webhooks.ts'
import { startBandwidthMeter } from './bandwidth-meter.ts'

let fixture: WebhookFixture
beforeAll(async () => void (fixture = await openWebhookFixture()))
afterAll(() => fixture.close())

const late = () => Object.assign(new Error('no response'), { code: 'ETIMEDOUT' })

/** The database of the test, whose next transaction gets no response to its commit, or to the statement before. */
function losingResponses(lost: 'commit' | 'statement'): Database {
  let isLost = false
  const losing = (em: EntityManager): EntityManager => {
    const run = em.transactional.bind(em)
    const transactional: EntityManager['transactional'] = async (work, options) => {
      if (isLost) return run(work, options)
      isLost = true
      if (lost === 'commit') await run(work, options)
      else
        await run(async (tx) => {
          await work(tx as never)
          throw late()
        }, options)
      throw late()
    }
    return Object.assign(em, { transactional })
  }
  return { em: { fork: () => losing(fixture.em()) } } as unknown as Database
}

it.each(['commit', 'statement'] as const)(
  'counts served bytes once when PostgreSQL does not respond to a %s',
  async (lost) => {
    await fixture.execute('delete from usage_day')
    const videoId = await insertVideoFixture(fixture.db, { accountId: fixture.accountId })
    const meter = startBandwidthMeter(losingResponses(lost), pino({ level: 'silent' }))
    const counted = () =>
      fixture.execute<{ bytes: number }>('select bandwidth_bytes as bytes from usage_day')
    meter.count(videoId, 1_000)
    await meter.flush()
    await meter.flush()
    meter.count(videoId, 1)
    await meter.flush()
    await meter.stop()
    expect(await counted()).toEqual([{ bytes: 1_001 }])
  },
)
