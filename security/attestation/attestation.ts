import type { AppAttestEnvironment } from '../../domain/drm/app-attest-environment.ts'
import {
  verifyAppAssertion,
  verifyAppAttestation,
  type AppAttestApp,
  type AppAttestKey,
} from './app-attest.ts'
import { verifyPlayIntegrity, type PlayIntegrityApp } from './play-integrity.ts'

/** The apps that may attest; null for a platform without. */
export interface AttestedApps {
  android: PlayIntegrityApp | null
  ios: AppAttestApp | null
}

/** What an app sends to show that it is genuine. */
export type AttestationStatement =
  | { kind: 'play-integrity'; token: string }
  /** The first time, with the object of a new key. */
  | { kind: 'app-attest'; keyIdHex: string; attestation: Buffer }
  /** Afterwards. */
  | { kind: 'app-attest'; keyIdHex: string; assertion: Buffer }

/** What a statement has proved, and what must be recorded with the challenge. */
export type Attested =
  | { kind: 'play-integrity' }
  | { kind: 'new-key'; key: AppAttestKey }
  | { kind: 'known-key'; keyIdHex: string; counter: number }

/** The statement is of a platform that may not attest, or of a key that is not known. */
export class AttestationError extends Error {
  override name = 'AttestationError'
}

/**
 * Verifies a statement about `hash` (`attestedHash`). `publicKeyOf` looks up a known key of App Attest in an environment, as DER.
 * Throws an AttestationError, an AppAttestError or a PlayIntegrityError.
 */
export async function verifyAttestation(
  statement: AttestationStatement,
  { android, ios }: AttestedApps,
  {
    hash,
    nowMs,
    publicKeyOf,
  }: {
    hash: Buffer
    nowMs: number
    publicKeyOf: (keyIdHex: string, environment: AppAttestEnvironment) => Promise<Buffer | null>
  },
): Promise<Attested> {
  if (statement.kind === 'play-integrity') {
    if (!android) throw new AttestationError('platform')
    await verifyPlayIntegrity(statement.token, { app: android, nonce: hash, nowMs })
    return { kind: 'play-integrity' }
  }
  if (!ios) throw new AttestationError('platform')
  const { keyIdHex } = statement
  if ('attestation' in statement) {
    const now = new Date(nowMs)
    const expected = { app: ios, clientDataHash: hash, keyIdHex, now }
    return { kind: 'new-key', key: await verifyAppAttestation(statement.attestation, expected) }
  }
  const publicKey = await publicKeyOf(keyIdHex, ios.environment)
  if (!publicKey) throw new AttestationError('unknown_key')
  const counter = verifyAppAssertion(statement.assertion, {
    app: ios,
    clientDataHash: hash,
    publicKey,
  })
  return { kind: 'known-key', keyIdHex, counter }
}
