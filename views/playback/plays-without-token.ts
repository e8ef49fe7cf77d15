import { z } from 'zod'

/** The plays of the last day that a requirement of viewer tokens would have refused. */
export const playsWithoutTokenSchema = z
  .strictObject({
    object: z.literal('plays_without_token'),
    play_count: z.int().meta({ description: 'Playback sessions in the last 24 hours.' }),
  })
  .meta({ id: 'PlaysWithoutToken' })

/** The plays of the last day that a requirement of viewer tokens would have refused. */
export const playsWithoutTokenView = (
  playCount: number,
): z.output<typeof playsWithoutTokenSchema> => ({
  object: 'plays_without_token',
  play_count: playCount,
})
