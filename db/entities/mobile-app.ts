import { defineEntity, p } from '@mikro-orm/core'
import type { AppAttestEnvironment } from '../../domain/drm/app-attest-environment.ts'

export const RedeemedChallengeSchema = defineEntity({
  name: 'RedeemedChallenge',
  tableName: 'redeemed_challenge',
  properties: {
    id: p.uuid().primary(),
    expiresAt: p.datetime(),
  },
})

/** A challenge of the mobile app that has been redeemed; kept until it has expired. */
export class RedeemedChallenge extends RedeemedChallengeSchema.class {}
RedeemedChallengeSchema.setClass(RedeemedChallenge)

export const AppAttestKeySchema = defineEntity({
  name: 'AppAttestKey',
  tableName: 'app_attest_key',
  properties: {
    /** SHA-256 of the public key, in hex. */
    keyId: p.text().primary(),
    /** DER in base64. */
    publicKey: p.text(),
    /** The environment of App Attest that has attested it. */
    environment: p.text().$type<AppAttestEnvironment>(),
    /** Of its last assertion; each one has a larger counter. */
    counter: p.bigint('number').default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    lastUsedAt: p.datetime().defaultRaw('now()'),
  },
})

/** The key of one installation of the iOS app, which Apple has attested. */
export class AppAttestKey extends AppAttestKeySchema.class {}
AppAttestKeySchema.setClass(AppAttestKey)
