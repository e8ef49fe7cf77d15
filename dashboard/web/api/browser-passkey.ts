/** What the browser gave is no passkey: an extension that keeps passwords may replace `navigator.credentials`. */
export class UnreadablePasskey extends Error {
  override name = 'UnreadablePasskey'
}

/** A passkey that the browser has made or used, by its fields in base64url. */
export interface BrowserPasskey {
  id: string
  /** A field of the response. Throws `UnreadablePasskey`. */
  field: (name: string) => string
  transports: string[]
}

/**
 * Asks the browser for a passkey, and reads the result by its fields: objects of extensions may lack the methods.
 * Throws `UnreadablePasskey`; what the browser throws if the person cancels stays as it is.
 */
export async function askBrowser(
  ask: (credentials: CredentialsContainer) => Promise<unknown>,
): Promise<BrowserPasskey> {
  const credential = await given(ask)
  const response = memberOf(credential, 'response')
  const transportsOf = memberOf(response, 'getTransports')
  const transports: unknown =
    typeof transportsOf === 'function' ? Reflect.apply(transportsOf, response, []) : []
  return {
    id: base64Url(memberOf(credential, 'rawId')),
    field: (name) => base64Url(memberOf(response, name)),
    transports: Array.isArray(transports) ? transports.map(String) : [],
  }
}

/** Without `navigator.credentials`, or with a foreign one, the call itself may fail. */
async function given(
  ask: (credentials: CredentialsContainer) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await ask(navigator.credentials)
  } catch (error) {
    throw error instanceof TypeError ? new UnreadablePasskey(error.message) : error
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

function base64Url(bytes: unknown): string {
  if (!(bytes instanceof ArrayBuffer)) throw new UnreadablePasskey('a field is no buffer')
  return btoa(String.fromCodePoint(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
