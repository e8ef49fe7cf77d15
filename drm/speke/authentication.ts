import aws4 from 'aws4'
import { digestAuthorization } from './digest-authentication.ts'

/** How requests to the key server are authenticated. */
export type SpekeAuthentication =
  | { kind: 'none' }
  /** The value of the Authorization header, as it is. */
  | { kind: 'header'; value: string }
  | { kind: 'basic' | 'digest'; username: string; password: string }
  /** AWS Signature Version 4 for the service `execute-api`. */
  | { kind: 'sigv4'; region: string; credentials: AwsCredentials }

interface AwsCredentials {
  accessKeyId: string
  secretAccessKey: string
  /** Of temporary credentials. */
  sessionToken?: string | undefined
}

/** The request that is to be authenticated. */
export interface RequestToSign {
  url: string
  method: 'POST'
  headers: Record<string, string>
  body: string
}

/**
 * Returns the headers of a request with those that authenticate it. `challenge` is the WWW-Authenticate header of
 * a refused attempt; without one, a digest request is sent bare, and the response contains the challenge. Returns
 * null if it cannot respond to the challenge.
 */
export function authenticated(
  request: RequestToSign,
  authentication: SpekeAuthentication,
  challenge?: string,
): Record<string, string> | null {
  const { headers } = request
  switch (authentication.kind) {
    case 'none':
      return headers
    case 'header':
      return { ...headers, Authorization: authentication.value }
    case 'basic': {
      const { username, password } = authentication
      const credentials = Buffer.from(`${username}:${password}`).toString('base64')
      return { ...headers, Authorization: `Basic ${credentials}` }
    }
    case 'digest': {
      if (challenge === undefined) return headers
      const value = digestAuthorization(challenge, request, authentication)
      return value === null ? null : { ...headers, Authorization: value }
    }
    case 'sigv4':
      return signed(request, authentication)
  }
}

function signed(
  { url, method, headers, body }: RequestToSign,
  { region, credentials }: Extract<SpekeAuthentication, { kind: 'sigv4' }>,
): Record<string, string> {
  const { host, pathname, search } = new URL(url)
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const request = aws4.sign(
    {
      service: 'execute-api',
      region,
      host,
      path: pathname + search,
      method,
      headers: { ...headers },
      body,
    },
    { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
  )
  const signedHeaders: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers ?? {}))
    // The connection sets both itself.
    if (!/^(host|content-length)$/i.test(name)) signedHeaders[name] = String(value)
  return signedHeaders
}
