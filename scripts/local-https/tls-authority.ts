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
  issue(hosts: string[], options?: { notAfter?: Date }): Promise<{ key: string; cert: string }>
}

/** Creates a certificate authority with ECDSA keys that is valid for ten days. */
export async function createAuthority(): Promise<Authority> {
  const keys = await generateKeys()
  const ca = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Reelgate local authority',
    serialNumber: serialNumber(),
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + 10 * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 1, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })

  return {
    caPem: ca.toString('pem'),
    issue: (hosts, { notAfter = new Date(Date.now() + 5 * DAY_MS) } = {}) =>
      issueCertificate({ issuer: ca.subject, keys }, hosts, notAfter),
  }
}

async function issueCertificate(
  { issuer, keys }: { issuer: string; keys: KeyPair },
  hosts: string[],
  notAfter: Date,
): Promise<{ key: string; cert: string }> {
  const leafKeys = await generateKeys()
  const leaf = await X509CertificateGenerator.create({
    subject: 'CN=Reelgate local server',
    issuer,
    serialNumber: serialNumber(),
    notBefore: new Date(Math.min(Date.now(), notAfter.getTime()) - DAY_MS),
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
