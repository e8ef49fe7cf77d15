import type { IncomingMessage } from 'node:http'

/** Why a request is refused by its head. */
export interface HeadFault {
  status: 400 | 417 | 501
  message: string
}

/**
 * Returns what HTTP does not allow in the head of a request and Node accepts or refuses without a body; null for a
 * valid head: HTTP/1.1 without Host, several Host or Authorization headers (Node keeps the first), a transfer coding
 * other than chunked, which Node does not decode (RFC 9112, sections 3.2 and 6.1), and an Expect other than
 * 100-continue (RFC 9110, section 10.1.1).
 */
export function headFaultOf(request: IncomingMessage): HeadFault | null {
  const { expect, 'transfer-encoding': coding } = request.headers
  const hosts = countHeaders(request, 'host')
  if (hosts > 1) return { status: 400, message: 'Send one Host header.' }
  if (hosts === 0 && request.httpVersion === '1.1')
    return { status: 400, message: 'The Host header is missing.' }
  if (countHeaders(request, 'authorization') > 1)
    return { status: 400, message: 'Send one Authorization header.' }
  if (coding !== undefined && !/^chunked$/i.test(coding))
    return { status: 501, message: 'The only Transfer-Encoding that is supported is chunked.' }
  if (expect !== undefined && !/^100-continue$/i.test(expect))
    return { status: 417, message: 'The only Expect that is supported is 100-continue.' }
  return null
}

/** Counts in the raw headers, because Node keeps only the first of several. */
function countHeaders({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index]
    if (raw?.length === name.length && raw.toLowerCase() === name) count += 1
  }
  return count
}
