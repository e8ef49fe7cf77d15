import { z } from 'zod'
import type { RecentHost } from '../../db/playback/recent-plays.ts'

const reason = z
  .enum(['domain_blocked', 'domain_not_allowed'])
  .meta({ description: 'Why it is refused.' })

/** Whether a site may embed the videos of the account. */
export const domainTestSchema = z
  .strictObject({
    object: z.literal('domain_test'),
    host: z.string().meta({ description: 'The host as browsers name it, without a port.' }),
    is_allowed: z.boolean(),
    reason: reason.nullable(),
  })
  .meta({ id: 'DomainTest' })

type Reason = z.output<typeof reason>

/** Whether a site may embed the videos of the account. */
export const domainTestView = (
  host: string,
  refusal: Reason | null,
): z.output<typeof domainTestSchema> => ({
  object: 'domain_test',
  host,
  is_allowed: refusal === null,
  reason: refusal,
})

/** The hosts of the last day that domain rules would refuse. */
export const recentHostTestSchema = z
  .strictObject({
    object: z.literal('recent_host_test'),
    host_count: z.int().meta({ description: 'Hosts that embedded videos in the last 24 hours.' }),
    refused: z.array(
      z.strictObject({
        host: z.string(),
        play_count: z.int().meta({ description: 'Playback sessions in the last 24 hours.' }),
        reason,
      }),
    ),
  })
  .meta({ id: 'RecentHostTest' })

/** The hosts of the last day that domain rules would refuse. */
export const recentHostTestView = (
  hostCount: number,
  refused: (RecentHost & { reason: Reason })[],
): z.output<typeof recentHostTestSchema> => ({
  object: 'recent_host_test',
  host_count: hostCount,
  refused: refused.map((one) => ({
    host: one.host,
    play_count: one.playCount,
    reason: one.reason,
  })),
})
