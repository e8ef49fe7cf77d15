import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
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

/** Lets the browser make a passkey and adds it. Rejects if the browser makes none or the server refuses it. */
export async function addPasskey(account: string, name: string): Promise<void> {
  const api = apiOf(account)
  const { options, ticket } = await answerOf(api.POST('/me/passkeys/challenge'))
  if (!isForNew(options)) throw new Error('the challenge is not for a new passkey')
  const response = await startRegistration({ optionsJSON: options })
  await answerOf(api.POST('/me/passkeys', { body: { name, ticket, response } }))
}

// The document of the API leaves the options to WebAuthn.

const isForUse = (options: Options): options is Options & PublicKeyCredentialRequestOptionsJSON =>
  'allowCredentials' in options

const isForNew = (options: Options): options is Options & PublicKeyCredentialCreationOptionsJSON =>
  'pubKeyCredParams' in options
