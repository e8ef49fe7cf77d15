import { z } from 'zod'

const version = z.int().meta({ description: 'Grows with each rotation.' })

/** The secret that signs viewer tokens. */
export const signingSecretSchema = z
  .strictObject({
    object: z.literal('signing_secret'),
    secret: z.string().meta({ description: '64 hex characters, used as text.' }),
    version,
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

/** Which secret signs viewer tokens now, without the secret. */
export const signingSecretVersionSchema = z
  .strictObject({ object: z.literal('signing_secret_version'), version })
  .meta({ id: 'SigningSecretVersion' })
