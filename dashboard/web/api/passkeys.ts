import { askBrowser } from './browser-passkey.ts'
import { apiOf, unwrap } from './client.ts'
import type { Me } from './me.ts'
import type { components } from './schema.ts'

type Options = components['schemas']['PasskeyChallenge']['options']

/** True if this page is at the address of the dashboard, to which passkeys belong. */
export const isAtOwnAddress = ({ dashboard_url: url }: Me): boolean => url === location.origin

/** Confirms who the member is with a passkey. Rejects if the browser gives none or the server refuses it. */
export async function confirmWithPasskey(account: string): Promise<void> {
  const api = apiOf(account)
  const { options, ticket } = await unwrap(api.POST('/me/elevation/challenge'))
  if (!isForUse(options)) throw new Error('the challenge is not for a passkey')
  const { id, field } = await askBrowser((credentials) =>
    credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )
  const response = {
    clientDataJSON: field('clientDataJSON'),
    authenticatorData: field('authenticatorData'),
    signature: field('signature'),
  }
  await unwrap(api.POST('/me/elevation/passkey', { body: { ticket, response: { id, response } } }))
}

/** Lets the browser make a passkey and adds it. Rejects if the browser makes none or the server refuses it. */
export async function addPasskey(account: string, name: string): Promise<void> {
  const api = apiOf(account)
  const { options, ticket } = await unwrap(api.POST('/me/passkeys/challenge'))
  if (!isForNew(options)) throw new Error('the challenge is not for a new passkey')
  const { id, field, transports } = await askBrowser((credentials) =>
    credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )
  const response = {
    clientDataJSON: field('clientDataJSON'),
    attestationObject: field('attestationObject'),
    transports,
  }
  await unwrap(api.POST('/me/passkeys', { body: { name, ticket, response: { id, response } } }))
}

// The document of the API leaves the options to WebAuthn.

const isForUse = (options: Options): options is Options & PublicKeyCredentialRequestOptionsJSON =>
  'allowCredentials' in options

const isForNew = (options: Options): options is Options & PublicKeyCredentialCreationOptionsJSON =>
  'pubKeyCredParams' in options
