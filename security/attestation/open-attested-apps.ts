import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import type { AppAttestEnvironment } from '../../domain/drm/app-attest-environment.ts'
import { APPLE_APP_ATTEST_ROOT } from './apple-root.ts'
import type { AttestedApps } from './attestation.ts'
import type { DeviceIntegrity } from './play-integrity.ts'

/** The variables about the mobile app, as `config/sections/drm.ts` describes them. */
export interface AppVariables {
  APP_ANDROID_PACKAGE?: string | undefined
  APP_ANDROID_CERTIFICATES: readonly string[]
  APP_ANDROID_INTEGRITY: DeviceIntegrity
  APP_PLAY_DECRYPTION_KEY?: string | undefined
  APP_PLAY_VERIFICATION_KEY?: string | undefined
  APP_IOS_ID?: string | undefined
  APP_IOS_ENVIRONMENT: AppAttestEnvironment
}

/** A variable is missing or wrong; `message` names it and never contains its value. */
export class AppSettingsError extends Error {
  override name = 'AppSettingsError'
}

/** Returns the apps that may attest. Throws an AppSettingsError. */
export function openAttestedApps(variables: AppVariables): AttestedApps {
  const { APP_ANDROID_PACKAGE: packageName, APP_IOS_ID: appId } = variables
  return {
    android:
      packageName === undefined
        ? null
        : {
            packageName,
            certificateDigests: certificateDigests(variables.APP_ANDROID_CERTIFICATES),
            deviceIntegrity: variables.APP_ANDROID_INTEGRITY,
            decryptionKey: decryptionKey(variables.APP_PLAY_DECRYPTION_KEY),
            verificationKey: verificationKey(variables.APP_PLAY_VERIFICATION_KEY),
          },
    ios:
      appId === undefined
        ? null
        : {
            appId: validAppId(appId),
            environment: variables.APP_IOS_ENVIRONMENT,
            rootPem: APPLE_APP_ATTEST_ROOT,
          },
  }
}

/** Play Console shows the digests as hex with colons; tokens have them in base64url. */
function certificateDigests(digests: readonly string[]): string[] {
  if (digests.length === 0) throw unusable('APP_ANDROID_CERTIFICATES', 'is needed')
  return digests.map((digest) => {
    const hex = digest.replaceAll(':', '')
    if (!/^[0-9a-f]{64}$/i.test(hex))
      throw unusable('APP_ANDROID_CERTIFICATES', 'needs SHA-256 digests of 64 hex characters')
    return Buffer.from(hex, 'hex').toString('base64url')
  })
}

const AES_KEY_BYTES = 32

function decryptionKey(base64: string | undefined): KeyObject {
  const bytes = Buffer.from(base64 ?? '', 'base64')
  if (bytes.length !== AES_KEY_BYTES)
    throw unusable('APP_PLAY_DECRYPTION_KEY', 'needs 32 bytes in base64')
  return createSecretKey(bytes)
}

function verificationKey(base64: string | undefined): KeyObject {
  try {
    const der = Buffer.from(base64 ?? '', 'base64')
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // The cause may quote the value.
  }
  throw unusable('APP_PLAY_VERIFICATION_KEY', 'needs a P-256 public key, as DER in base64')
}

function validAppId(appId: string): string {
  if (/^[A-Z0-9]{10}\.[A-Za-z0-9.-]+$/.test(appId)) return appId
  throw unusable('APP_IOS_ID', 'needs the team id, a point and the bundle id')
}

const unusable = (variable: string, problem: string): AppSettingsError =>
  new AppSettingsError(`${variable} ${problem}.`)
