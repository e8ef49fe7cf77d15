/**
 * What is wrong with a host to which a request failed: the cause, and what its owner does. Both are parts of a message to
 * the integrator. The keys are the `error_cause` of a webhook attempt; new ones may be added.
 */
export const FAILURE_CAUSES = {
  certificate_expired: ['The certificate of the host has expired', 'Renew it.'],
  certificate_not_yet_valid: [
    'The certificate of the host is not valid yet',
    'Check the date from which it is valid.',
  ],
  certificate_self_signed: [
    'The certificate of the host is self-signed',
    'Install one of a public certificate authority.',
  ],
  certificate_authority_unknown: [
    'The certificate of the host is from an authority that is not public',
    'Install one of a public certificate authority.',
  ],
  certificate_chain_incomplete: [
    'The issuer of the certificate of the host is not known: the host does not send the intermediate certificate, or the authority is not public',
    'Install the certificate with its whole chain.',
  ],
  certificate_wrong_host: [
    'The certificate is for another host name',
    'Install one that names this host, or use an address with a name that it contains.',
  ],
  certificate_too_weak: [
    'A key or signature of the certificate of the host is too weak',
    'Install one with at least 2048 bits of RSA, or with ECDSA, and SHA-256.',
  ],
  client_certificate_required: [
    'The host asks for a client certificate and closed the connection without one',
    'Turn that off for this address.',
  ],
  tls_version_too_old: [
    'The host offers only TLS 1.1 or older',
    'Enable TLS 1.2 or TLS 1.3 on it.',
  ],
  tls_handshake_refused: [
    'The host refused the TLS handshake: it shares no cipher with this service, does not know the host name, or requires a client certificate',
    'Enable the usual ciphers of TLS 1.2 or TLS 1.3, and a certificate for this name.',
  ],
  tls_handshake_closed: [
    'The host closed the connection during the TLS handshake',
    'Check that TLS with a certificate for this name is set up on this port.',
  ],
  tls_missing: [
    'The port does not speak TLS, but another protocol, such as plain HTTP',
    'Set up HTTPS on it, or use the port of HTTPS.',
  ],
  http2_only: ['The host speaks only HTTP/2', 'Enable HTTP/1.1 in addition.'],
  http_line_feeds: ['The header lines of the response end with LF alone', 'End them with CR LF.'],
  http_length_ambiguous: [
    'The response has more than one length: two Content-Length, or one beside Transfer-Encoding',
    'Send one of them.',
  ],
  http_headers_too_large: [
    'The headers of the response are larger than 16 KiB',
    'Send fewer or shorter ones, such as cookies.',
  ],
  http_invalid: ['The response is not valid HTTP/1.1', 'Check which program listens on this port.'],
} as const satisfies Record<string, readonly [cause: string, remedy: string]>

export type FailureCause = keyof typeof FAILURE_CAUSES

/**
 * Returns cause and remedy as two sentences, with the code of the library that found it:
 * `The certificate of the host has expired (CERT_HAS_EXPIRED). Renew it.`
 */
export function causeText(failureCause: FailureCause, detail = ''): string {
  const [cause, remedy] = FAILURE_CAUSES[failureCause]
  return `${cause}${detail === '' ? '' : ` (${detail})`}. ${remedy}`
}
