import type { TLSSocket } from 'node:tls'
import type { FailureCause } from '../domain/failure-causes.ts'
import { nodeErrorCode, nodeErrorMessage, unparsedText } from './node-error.ts'

/** The codes of OpenSSL and Node for a failed handshake. */
const TLS_CODES: Record<string, FailureCause> = {
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_not_yet_valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_authority_unknown',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_chain_incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_chain_incomplete',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_chain_incomplete',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_wrong_host',
}

/** The rest of them, whose names differ between versions of OpenSSL. The first match counts. */
const TLS_PATTERNS: [RegExp, FailureCause][] = [
  [/TOO_(WEAK|SMALL)/, 'certificate_too_weak'],
  [/CERTIFICATE_REQUIRED/, 'client_certificate_required'],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, 'tls_version_too_old'],
  [/NO_APPLICATION_PROTOCOL/, 'http2_only'],
  [/HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY|UNRECOGNIZED_NAME/, 'tls_handshake_refused'],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|BAD_RECORD_TYPE/, 'tls_missing'],
]
/** Codes that say nothing; the name of the failure is in the message, in small letters. */
const BARE_CODES: readonly string[] = ['UNSPECIFIED', 'EPROTO']

/** Returns why a TLS handshake failed; null if the error is not of TLS, or does not say it. */
export function tlsCauseOf(error: unknown): FailureCause | null {
  const code = nodeErrorCode(error)
  const text = BARE_CODES.includes(code) ? nodeErrorMessage(error) : code
  const name = text.toUpperCase().replaceAll(' ', '_')
  return TLS_CODES[code] ?? TLS_PATTERNS.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

const HTTP_PATTERNS: [RegExp, FailureCause][] = [
  [/HEADERS?_OVERFLOW/, 'http_headers_too_large'],
  [/Missing expected CR\b/, 'http_line_feeds'],
  [/UNEXPECTED_CONTENT_LENGTH|LENGTH_MISMATCH|present with/, 'http_length_ambiguous'],
]

/** The first frame of a server in HTTP/2 is SETTINGS: a length, the type 4 and the stream 0 (RFC 9113, section 3.4). */
// eslint-disable-next-line no-control-regex -- The bytes of a frame.
const HTTP2_SETTINGS = /^\0[^]{2}\x04[^]\0{4}/

/** Returns why a response was not understood, by the error of undici's or Node's parser; null if it is no such error. */
export function httpCauseOf(error: unknown): FailureCause | null {
  const code = nodeErrorCode(error)
  const message = nodeErrorMessage(error)
  if (HTTP2_SETTINGS.test(unparsedText(error))) return 'http2_only'
  const known = HTTP_PATTERNS.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1]
  if (known) return known
  return code.startsWith('HPE_') || message.includes('HTTP/1.1 protocol') ? 'http_invalid' : null
}

/**
 * Whether the server has asked for a client certificate. Node does not say so, but only such a request names signature
 * algorithms to a client.
 */
export const asksForCertificate = (socket: TLSSocket): boolean =>
  (socket.getSharedSigalgs() ?? []).length > 0
