import { z } from 'zod'
import type { Passkey } from '../../db/entities/member.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { deletedSchema, listSchema } from '../list.ts'
import { isoUtcOrNull, timestamp } from '../values.ts'

/** The credential id of a passkey. */
export const passkeyId = z.string().regex(/^[\w-]{1,1400}$/)

/** A passkey of the signed-in member. */
export const passkeySchema = z
  .strictObject({
    id: passkeyId,
    object: z.literal('passkey'),
    name: z.string(),
    created_at: timestamp('When it was added.'),
    last_used_at: timestamp('When it was last used; null if never.').nullable(),
  })
  .meta({ id: 'Passkey' })

export const passkeyListSchema = listSchema(passkeySchema).meta({ id: 'PasskeyList' })
export const deletedPasskeySchema = deletedSchema('passkey', passkeyId).meta({
  id: 'DeletedPasskey',
})

export const passkeyView = (passkey: Passkey): z.output<typeof passkeySchema> => ({
  id: passkey.id,
  object: 'passkey',
  name: passkey.name,
  created_at: isoUtc(passkey.createdAt),
  last_used_at: isoUtcOrNull(passkey.lastUsedAt),
})

/** What the browser needs to use or make a passkey, and what it sends back with the result. */
export const passkeyChallengeSchema = z
  .strictObject({
    object: z.literal('passkey_challenge'),
    options: z.looseObject({ challenge: z.string() }).meta({
      description:
        'For `PublicKeyCredential.parseRequestOptionsFromJSON` or `…parseCreationOptionsFromJSON`.',
    }),
    ticket: z
      .string()
      .meta({ description: 'Send it back with the response of the authenticator.' }),
  })
  .meta({ id: 'PasskeyChallenge' })
