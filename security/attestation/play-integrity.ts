import { createHash, timingSafeEqual, type KeyObject } from 'node:crypto'
import { compactDecrypt, compactVerify } from 'jose'
import { z } from 'zod'

/** The app that may attest, and the two keys of its integrity tokens (Play Console, "Play Integrity API"). */
export interface PlayIntegrityApp {
  packageName: string
  /** SHA-256 digests of the certificates that sign the app, in unpadded base64url. */
  certificateDigests: readonly string[]
  /** What the device must have; each implies the ones before it. */
  deviceIntegrity: DeviceIntegrity
  /** AES-256 key that unwraps the tokens. */
  decryptionKey: KeyObject
  /** P-256 key that verifies them. */
  verificationKey: KeyObject
}

/** Labels of Google, from weak to strong. */
export type DeviceIntegrity = 'basic' | 'device' | 'strong'

/** Thrown for a token that is not genuine or says too little. The message names the failed check. */
export class PlayIntegrityError extends Error {
  override name = 'PlayIntegrityError'
}

/** A device asks Google just before it asks the server. */
const TOKEN_AGE_MAX_MS = 5 * 60_000
const CLOCK_TOLERANCE_MS = 60_000

const LABELS: Record<DeviceIntegrity, string> = {
  basic: 'MEETS_BASIC_INTEGRITY',
  device: 'MEETS_DEVICE_INTEGRITY',
  strong: 'MEETS_STRONG_INTEGRITY',
}

/** The verdicts that are read (Google, "Integrity verdicts"). Google adds others. */
const payload = z.object({
  requestDetails: z.object({
    requestPackageName: z.string(),
    nonce: z.string(),
    timestampMillis: z.coerce.number(),
  }),
  appIntegrity: z.object({
    appRecognitionVerdict: z.string(),
    packageName: z.string().optional(),
    certificateSha256Digest: z.array(z.string()).default([]),
  }),
  deviceIntegrity: z.object({ deviceRecognitionVerdict: z.array(z.string()).default([]) }),
  environmentDetails: z
    .object({
      appAccessRiskVerdict: z.object({ appsDetected: z.array(z.string()).default([]) }).optional(),
    })
    .optional(),
})

/**
 * Decrypts and verifies the integrity token of a classic request, here and not at Google, and checks its
 * verdicts. `nonce` is what the app has asked for it with. Throws a PlayIntegrityError.
 */
export async function verifyPlayIntegrity(
  token: string,
  { app, nonce, nowMs }: { app: PlayIntegrityApp; nonce: Buffer; nowMs: number },
): Promise<void> {
  const { requestDetails, appIntegrity, deviceIntegrity, environmentDetails } = await open(
    token,
    app,
  )
  // First that the token is for this request: the other verdicts of a foreign one mean nothing.
  check(requestDetails.requestPackageName === app.packageName, 'package')
  check(isNonce(requestDetails.nonce, nonce), 'nonce')
  const ageMs = nowMs - requestDetails.timestampMillis
  check(ageMs <= TOKEN_AGE_MAX_MS && ageMs >= -CLOCK_TOLERANCE_MS, 'age')
  check(appIntegrity.appRecognitionVerdict === 'PLAY_RECOGNIZED', 'app')
  check(appIntegrity.packageName === app.packageName, 'app')
  const digests = appIntegrity.certificateSha256Digest.map(withoutPadding)
  check(
    digests.some((one) => app.certificateDigests.includes(one)),
    'certificate',
  )
  check(deviceIntegrity.deviceRecognitionVerdict.includes(LABELS[app.deviceIntegrity]), 'device')
  const apps = environmentDetails?.appAccessRiskVerdict?.appsDetected ?? []
  check(!apps.some((one) => one.endsWith('_CAPTURING')), 'capturing')
}

/** A JWE (A256KW, A256GCM) with a JWS (ES256) inside: no other algorithms are accepted. */
async function open(token: string, { decryptionKey, verificationKey }: PlayIntegrityApp) {
  try {
    const { plaintext } = await compactDecrypt(token, decryptionKey, {
      keyManagementAlgorithms: ['A256KW'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
    const jws = await compactVerify(plaintext, verificationKey, { algorithms: ['ES256'] })
    return payload.parse(JSON.parse(Buffer.from(jws.payload).toString('utf8')))
  } catch {
    // The causes may quote the token.
    throw new PlayIntegrityError('token')
  }
}

/** Compares hashes, because the nonce may have any length. */
const isNonce = (text: string, nonce: Buffer): boolean =>
  timingSafeEqual(sha256(Buffer.from(text, 'base64url')), sha256(nonce))

const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest()

const withoutPadding = (text: string): string => text.replace(/=+$/, '')

function check(isRight: boolean, name: string): asserts isRight {
  if (!isRight) throw new PlayIntegrityError(name)
}
