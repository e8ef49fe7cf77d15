import { z } from 'zod'

/** The secret that signs viewer tokens. */
export const signingSecretSchema = z
  .strictObject({
    object: z.literal('signing_secret'),
    secret: z.string().meta({ description: '64 hex characters, used as text.' }),
    version: z.int().meta({ description: 'Grows with each rotation.' }),
  })
  .meta({ id: 'SigningSecret' })

/** The secret that signs viewer tokens. */
export const signingSecretView = (signing: {
  secret: string
  version: number
}): z.output<typeof signingSecretSchema> => ({
  object: 'signing_secret',
  secret: signing.secret,
  version: signing.version,
})
