import { expect } from 'vitest'
import { itOfAll } from '../../infrastructure/every-case.ts'
import { runWebhookChaos } from './webhook-chaos.ts'

const SEED = 20261121

// In npm test, service-chaos.test.ts makes faults during deliveries too.
itOfAll(
  'kill -9 of worker, api and Temporal loses no delivery, leaves none stuck, skips no attempt and makes no sixth',
  async () => {
    const { violations, kills, delivered, failed, deliveries } = await runWebhookChaos({
      deliveries: 30,
      seed: SEED,
      scheduledOneIn: Infinity,
      // Each kill of the worker costs the minute that an attempt may take; `npm run chaos -- webhooks` makes more.
      kills: { worker: 1, api: 1, temporal: 1 },
      tell: () => {},
    })
    expect(violations).toEqual([])
    expect(delivered + failed).toBe(deliveries)
    expect(Math.min(...Object.values(kills))).toBeGreaterThan(0)
  },
  900_000,
)
