/** Why a service of the installation could not be used, after its name: "cannot be reached". */
interface ConnectionFailure {
  what: string
  /** What an operator does, if it is not about whether the service runs. */
  remedy: string | null
}

const TRUST =
  'let NODE_EXTRA_CA_CERTS name a PEM file with the authority of the certificate, or renew the certificate'

/** Codes of Node's sockets, TLS and parsers. */
const FAILURES: readonly [codes: RegExp, ...failure: [string, string | null]][] = [
  [/^(ECONN\w+|EPIPE|EHOSTUNREACH|ENETUNREACH|UND_ERR_SOCKET)$/, 'cannot be reached', null],
  [/^(ETIMEDOUT|UND_ERR_\w+TIMEOUT)$|TimeoutError/, 'does not respond in time', null],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'cannot be found by its host name',
    'correct the address, or the resolver of this machine',
  ],
  [/^CERT_HAS_EXPIRED$/, 'has a certificate that has expired', 'renew it'],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'has a certificate for another host name',
    'correct the address, or the certificate',
  ],
  [
    /^(CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/,
    'has a certificate that this process does not trust',
    TRUST,
  ],
  [
    /^(ERR_SSL_\w+|EPROTO)$/,
    'does not speak TLS as it should',
    'is the address that of its https port?',
  ],
  [
    /^(HPE_\w+|UND_ERR_\w*PARSE\w*)$/,
    'responds with something else than HTTP',
    'is another program at that address?',
  ],
]

/** Returns why a connection to a service failed, by the code of the error or of its cause; null if it does not say. */
export function connectionFailureOf(error: unknown): (ConnectionFailure & { code: string }) | null {
  for (let one = error; typeof one === 'object' && one !== null; one = causeOf(one)) {
    const code = errorCode(one)
    const [, what, remedy] = FAILURES.find(([codes]) => codes.test(code)) ?? []
    if (what !== undefined) return { what, remedy: remedy ?? null, code }
  }
  return null
}

const causeOf = (error: object): unknown => ('cause' in error ? error.cause : undefined)

/** A time limit of `AbortSignal.timeout` has no code of its own, but a name. */
const errorCode = (error: object): string => {
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'name' in error ? String(error.name) : ''
}
