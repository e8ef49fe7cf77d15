import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseXml } from '../../../drm/xml.ts'
import { challengeFor, type Expected, type ReceivedRequest } from './check-authentication.ts'
import { checkContract, ContractError } from './contract.ts'
import { fillDocument, type FillOptions } from './fill-document.ts'

export interface KeyServerResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export interface KeyServerOptions extends FillOptions {
  /** How requests must be authenticated; by default not at all. */
  expects?: Expected
  /** Changes a response that is right. */
  edit?: (reply: KeyServerResponse) => KeyServerResponse
}

const HEADERS = {
  'Content-Type': 'application/xml',
  'X-Speke-Version': '2.0',
  'X-Speke-User-Agent': 'a key server of the tests',
}

/**
 * Responds to a request as a SPEKE 2.0 key server does: 401 without authentication, 422 with the published sentence for
 * a request that breaks a rule, and otherwise the completed document. The same request gets the same keys.
 */
function spekeResponse(
  request: ReceivedRequest,
  { expects, edit = (reply) => reply, ...fill }: KeyServerOptions = {},
): KeyServerResponse {
  const challenge = expects ? challengeFor(request, expects) : null
  if (challenge !== null) {
    const headers = challenge === '' ? HEADERS : { ...HEADERS, 'WWW-Authenticate': challenge }
    return { status: 401, headers, body: 'not authenticated' }
  }
  try {
    if (request.headers['x-speke-version'] !== '2.0')
      throw new ContractError('Unsupported SPEKE version')
    if (!/^application\/xml(;|$)/.test(request.headers['content-type'] ?? ''))
      return { status: 415, headers: HEADERS, body: 'not application/xml' }
    return edit({ status: 200, headers: HEADERS, body: cpixResponse(request.body, fill) })
  } catch (error) {
    if (error instanceof ContractError)
      return {
        status: 422,
        headers: { ...HEADERS, 'Content-Type': 'text/plain' },
        body: error.message,
      }
    return { status: 400, headers: { ...HEADERS, 'Content-Type': 'text/plain' }, body: 'no CPIX' }
  }
}

/** Completes a CPIX document. Throws a ContractError if it breaks a rule. */
export function cpixResponse(body: string, options: FillOptions = {}): string {
  const root = parseXml(body)
  checkContract(root)
  return fillDocument(root, options)
}

/** A listener for an https server. `seen` receives every request. */
export const keyServerListener =
  (options: () => KeyServerOptions, seen: (request: ReceivedRequest) => void = () => {}) =>
  (incoming: IncomingMessage, response: ServerResponse): void => {
    void text(incoming).then((body) => {
      const { method = '', url: path = '', headers } = incoming
      const request = { method, path, headers, body }
      seen(request)
      const reply = spekeResponse(request, options())
      response.writeHead(reply.status, reply.headers).end(reply.body)
    })
  }
