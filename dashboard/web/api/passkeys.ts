import { startAuthentication } from '@simplewebauthn/browser'
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { answerOf, apiOf } from './client.ts'
import type { components } from './schema.ts'

type Options = components['schemas']['PasskeyChallenge']['options']

/** Confirms who the member is with a passkey. Rejects if the browser gives none or the server refuses it. */
export async function confirmWithPasskey(account: string): Promise<void> {
  const api = apiOf(account)
  const { options, ticket } = await answerOf(api.POST('/me/elevation/challenge'))
  if (!isForUse(options)) throw new Error('the challenge is not for a passkey')
  const response = await startAuthentication({ optionsJSON: options })
  await answerOf(api.POST('/me/elevation/passkey', { body: { ticket, response } }))
}

/** The document of the API leaves the options to WebAuthn. */
const isForUse = (options: Options): options is Options & PublicKeyCredentialRequestOptionsJSON =>
  'allowCredentials' in options
