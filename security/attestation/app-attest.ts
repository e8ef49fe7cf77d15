import 'reflect-metadata'
import { createHash, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { BasicConstraintsExtension, X509Certificate } from '@peculiar/x509'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { z } from 'zod'
import type { AppAttestEnvironment } from '../../domain/drm/app-attest-environment.ts'

/** The app that may attest, and where its keys come from. */
export interface AppAttestApp {
  /** Team id and bundle id, such as `1234567890.com.example.player`. */
  appId: string
  /** Keys of the other one are refused. */
  environment: AppAttestEnvironment
  /** The root that its keys are attested under, as PEM: Apple's. */
  rootPem: string
}

/** A key of one installation of the app, in the Secure Enclave of its device. */
export interface AppAttestKey {
  /** SHA-256 of the public key, in hex. */
  keyIdHex: string
  /** DER, SubjectPublicKeyInfo. */
  publicKey: Buffer
  environment: AppAttestEnvironment
}

/** Thrown for anything that is not genuine. The message names the failed check; it contains no bytes of the device. */
export class AppAttestError extends Error {
  override name = 'AppAttestError'
}

const NONCE_EXTENSION = '1.2.840.113635.100.8.2'
/** SEQUENCE { [1] { OCTET STRING of 32 bytes } } */
const NONCE_PREFIX = Buffer.from('3024a1220420', 'hex')
const AAGUIDS = {
  production: Buffer.from('appattest\0\0\0\0\0\0\0'),
  development: Buffer.from('appattestdevelop'),
}
/** RP id hash, flags and counter. */
const HEADER_BYTES = 37
const AAGUID_BYTES = 16
const POINT_BYTES = 65

const bytes = z.instanceof(Uint8Array)
const attestationObject = z.object({
  fmt: z.literal('apple-appattest'),
  attStmt: z.object({ x5c: z.tuple([bytes, bytes]), receipt: bytes }),
  authData: bytes,
})
const assertionObject = z.object({ signature: bytes, authenticatorData: bytes })

/** What an attestation must fit. */
interface Expected {
  app: AppAttestApp
  /** SHA-256 of what the app has attested. */
  clientDataHash: Buffer
  keyIdHex: string
  now: Date
}

/**
 * Verifies the attestation of a new key (Apple, "Validating apps that connect to your server", "Verify the
 * attestation") and returns the key. Throws an AppAttestError.
 */
export async function verifyAppAttestation(
  attestation: Buffer,
  { app, clientDataHash, keyIdHex, now }: Expected,
): Promise<AppAttestKey> {
  const { attStmt, authData } = decode(attestation, attestationObject)
  const [leafDer, issuerDer] = attStmt.x5c
  const leaf = await verifyChain(leafDer, issuerDer, app.rootPem, now)
  const nonce = sha256(authData, clientDataHash)
  const extension = leaf.getExtension(NONCE_EXTENSION)
  check(extension !== null, 'nonce')
  check(equal(Buffer.from(extension.value), Buffer.concat([NONCE_PREFIX, nonce])), 'nonce')
  const publicKey = Buffer.from(leaf.publicKey.rawData)
  const keyId = Buffer.from(keyIdHex, 'hex')
  check(equal(sha256(publicKey.subarray(-POINT_BYTES)), keyId), 'key')
  const { counter, rest } = readHeader(authData, app)
  check(counter === 0, 'counter')
  check(equal(rest.subarray(0, AAGUID_BYTES), AAGUIDS[app.environment]), 'environment')
  const [lengthAt, idAt] = [AAGUID_BYTES, AAGUID_BYTES + 2]
  check(rest.length >= idAt && rest.readUInt16BE(lengthAt) === keyId.length, 'credential')
  check(equal(rest.subarray(idAt, idAt + keyId.length), keyId), 'credential')
  return { keyIdHex, publicKey, environment: app.environment }
}

/**
 * Verifies an assertion by a known key (Apple, "Verify the assertion") and returns its counter, which the
 * caller must compare with the last one. Throws an AppAttestError.
 */
export function verifyAppAssertion(
  assertion: Buffer,
  {
    app,
    clientDataHash,
    publicKey,
  }: { app: AppAttestApp; clientDataHash: Buffer; publicKey: Buffer },
): number {
  const { signature, authenticatorData } = decode(assertion, assertionObject)
  const nonce = sha256(authenticatorData, clientDataHash)
  const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
  check(verify('sha256', nonce, key, signature), 'signature')
  return readHeader(authenticatorData, app).counter
}

/** Verifies that Apple's root has issued the leaf, through one intermediate, and returns the leaf. */
async function verifyChain(
  leafDer: Uint8Array,
  issuerDer: Uint8Array,
  rootPem: string,
  now: Date,
): Promise<X509Certificate> {
  const [leaf, issuer, root] = [parse(leafDer), parse(issuerDer), new X509Certificate(rootPem)]
  check(issuer.getExtension(BasicConstraintsExtension)?.ca === true, 'chain')
  check(leaf.getExtension(BasicConstraintsExtension)?.ca !== true, 'chain')
  check(issuer.issuer === root.subject && leaf.issuer === issuer.subject, 'chain')
  check(await issuer.verify({ publicKey: root, date: now }), 'chain')
  check(await leaf.verify({ publicKey: issuer, date: now }), 'chain')
  return leaf
}

function parse(der: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(Uint8Array.from(der))
  } catch {
    throw new AppAttestError('certificate')
  }
}

function readHeader(authData: Uint8Array, { appId }: AppAttestApp) {
  const data = Buffer.from(authData)
  check(data.length >= HEADER_BYTES, 'data')
  check(equal(data.subarray(0, 32), sha256(Buffer.from(appId))), 'app')
  return { counter: data.readUInt32BE(33), rest: data.subarray(HEADER_BYTES) }
}

/** Reads CBOR from outside. Whatever is wrong with it, the error is the same. */
function decode<T>(data: Buffer, schema: z.ZodType<T>): T {
  let decoded: unknown
  try {
    decoded = asObject(isoCBOR.decodeFirst<unknown>(Uint8Array.from(data)))
  } catch {
    throw new AppAttestError('format')
  }
  const parsed = schema.safeParse(decoded)
  if (!parsed.success) throw new AppAttestError('format')
  return parsed.data
}

const asObject = (value: unknown): unknown =>
  value instanceof Map
    ? Object.fromEntries([...value].map(([name, one]) => [String(name), asObject(one)]))
    : value

function check(isRight: boolean, name: string): asserts isRight {
  if (!isRight) throw new AppAttestError(name)
}

const equal = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
