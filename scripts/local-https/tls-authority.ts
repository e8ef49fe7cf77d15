import 'reflect-metadata'
import { isIP } from 'node:net'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 24 * 3_600_000

/** A local certificate authority, which only clients with its `caPem` trust. */
export interface Authority {
  /** The authority's certificate, PEM. */
  caPem: string
  /** Returns a key and a certificate (PEM) for these host names and IP addresses. */
  issue(hosts: string[], options?: IssueOptions): Promise<{ key: string; cert: string }>
  /** Returns an authority whose certificate this one has issued; the certificates that it issues do not contain it. */
  issueAuthority(): Promise<Authority>
}

/** For certificates with a fault. */
interface IssueOptions {
  /** A day before `notAfter` and now by default. */
  notBefore?: Date
  notAfter?: Date
  /** A key of RSA with so many bits; ECDSA by default. */
  rsaBits?: number
}

/** Creates a certificate authority with ECDSA keys that is valid for ten days. */
export async function createAuthority(): Promise<Authority> {
  const keys = await generateKeys()
  return createAuthorityOf({ subject: AUTHORITY_NAME, issuer: AUTHORITY_NAME, keys }, keys)
}

const AUTHORITY_NAME = 'CN=Reelgate local authority'

/** Creates an authority whose certificate is signed by `issuerKeys`. */
async function createAuthorityOf(
  { subject, issuer, keys }: { subject: string; issuer: string; keys: KeyPair },
  issuerKeys: KeyPair,
): Promise<Authority> {
  const ca = await X509CertificateGenerator.create({
    subject,
    issuer,
    serialNumber: serialNumber(),
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + 10 * DAY_MS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: issuerKeys.privateKey,
    extensions: [
      new BasicConstraintsExtension(true, 1, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })

  return {
    caPem: ca.toString('pem'),
    issue: (hosts, options = {}) => issueCertificate({ issuer: ca.subject, keys }, hosts, options),
    async issueAuthority() {
      const own = await generateKeys()
      const name = { subject: `${AUTHORITY_NAME} below`, issuer: ca.subject }
      return createAuthorityOf({ ...name, keys: own }, keys)
    },
  }
}

async function issueCertificate(
  { issuer, keys }: { issuer: string; keys: KeyPair },
  hosts: string[],
  { notAfter = new Date(Date.now() + 5 * DAY_MS), notBefore, rsaBits }: IssueOptions,
): Promise<{ key: string; cert: string }> {
  const leafKeys = await (rsaBits === undefined ? generateKeys() : generateRsaKeys(rsaBits))
  const leaf = await X509CertificateGenerator.create({
    subject: 'CN=Reelgate local server',
    issuer,
    serialNumber: serialNumber(),
    notBefore: notBefore ?? new Date(Math.min(Date.now(), notAfter.getTime()) - DAY_MS),
    notAfter,
    signingAlgorithm: ALGORITHM,
    publicKey: leafKeys.publicKey,
    signingKey: keys.privateKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(hosts.map(alternativeName)),
      await AuthorityKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { key: await privateKeyPem(leafKeys), cert: leaf.toString('pem') }
}

/** Returns a key and a self-signed certificate (PEM) for these hosts. */
export async function createSelfSigned(hosts: string[]): Promise<{ key: string; cert: string }> {
  const keys = await generateKeys()
  const leaf = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Reelgate local server',
    serialNumber: serialNumber(),
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + 5 * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [new SubjectAlternativeNameExtension(hosts.map(alternativeName))],
  })
  return { key: await privateKeyPem(keys), cert: leaf.toString('pem') }
}

async function privateKeyPem({ privateKey }: KeyPair): Promise<string> {
  return PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY')
}

const generateKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

const generateRsaKeys = (bits: number) =>
  crypto.subtle.generateKey(
    {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: bits,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    },
    true,
    ['sign', 'verify'],
  )

/** Inferred, because tests in a browser are compiled with the types of the DOM, which has its own. */
type KeyPair = Awaited<ReturnType<typeof generateKeys>>

/** Returns a random positive number in hex. Certificates of one authority must not share a serial number. */
function serialNumber(): string {
  const bytes = crypto.getRandomValues(Buffer.alloc(16))
  return `01${bytes.toString('hex')}`
}

function alternativeName(host: string): { type: 'ip' | 'dns'; value: string } {
  return { type: isIP(host) ? 'ip' : 'dns', value: host }
}
