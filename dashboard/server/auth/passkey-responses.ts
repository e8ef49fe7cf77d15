import { z } from 'zod'
import { passkeyId } from '../../../views/members/passkey.ts'

const PART_MAX_LENGTH = 20_000

const part = z
  .string()
  .max(PART_MAX_LENGTH)
  .regex(/^[\w-]+$/, 'must be base64url')

const ticket = z.string().max(PART_MAX_LENGTH).meta({ description: 'The ticket of the challenge.' })

/** The result of `navigator.credentials.create()`, as its `toJSON()` returns it; other fields are ignored. */
export const registrationResponse = z.object({
  ticket,
  response: z
    .object({
      id: passkeyId,
      response: z.object({
        clientDataJSON: part,
        attestationObject: part,
        transports: z.array(z.string().max(32)).max(10).default([]),
      }),
    })
    .transform(credentialOf),
})

/** The result of `navigator.credentials.get()`, as its `toJSON()` returns it; other fields are ignored. */
export const authenticationResponse = z.object({
  ticket,
  response: z
    .object({
      id: passkeyId,
      response: z.object({ clientDataJSON: part, authenticatorData: part, signature: part }),
    })
    .transform(credentialOf),
})

export type RegistrationResponse = z.output<typeof registrationResponse>
export type AuthenticationResponse = z.output<typeof authenticationResponse>

/** The form that the library for WebAuthn expects. */
interface Credential<R> {
  id: string
  rawId: string
  response: R
  clientExtensionResults: Record<never, never>
  type: 'public-key'
}

function credentialOf<R>({ id, response }: { id: string; response: R }): Credential<R> {
  return { id, rawId: id, response, clientExtensionResults: {}, type: 'public-key' }
}
