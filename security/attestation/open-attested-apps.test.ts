import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { APPLE_APP_ATTEST_ROOT } from './apple-root.ts'
import { openAttestedApps, type AppVariables } from './open-attested-apps.ts'

const derOf = (namedCurve: string): string =>
  generateKeyPairSync('ec', { namedCurve })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64')

const NONE: AppVariables = {
  APP_ANDROID_CERTIFICATES: [],
  APP_ANDROID_INTEGRITY: 'device',
  APP_IOS_ENVIRONMENT: 'production',
}
const ANDROID: AppVariables = {
  ...NONE,
  APP_ANDROID_PACKAGE: 'com.example.player',
  APP_ANDROID_CERTIFICATES: [`${'AB:'.repeat(31)}CD`, 'cd'.repeat(32)],
  APP_PLAY_DECRYPTION_KEY: randomBytes(32).toString('base64'),
  APP_PLAY_VERIFICATION_KEY: derOf('P-256'),
}

describe('the apps that may attest', () => {
  it('are none without variables', () =>
    expect(openAttestedApps(NONE)).toEqual({ android: null, ios: null }))

  it('are an Android app with its keys and certificates, and an iOS app', () => {
    const { android, ios } = openAttestedApps({
      ...ANDROID,
      APP_IOS_ID: '1234567890.com.example.a',
    })
    expect(android?.certificateDigests).toEqual([
      Buffer.from(`${'ab'.repeat(31)}cd`, 'hex').toString('base64url'),
      Buffer.from('cd'.repeat(32), 'hex').toString('base64url'),
    ])
    expect(ios).toEqual({
      appId: '1234567890.com.example.a',
      environment: 'production',
      rootPem: APPLE_APP_ATTEST_ROOT,
    })
  })

  it.each<[keyof AppVariables, object]>([
    ['APP_ANDROID_CERTIFICATES', { APP_ANDROID_CERTIFICATES: [] }],
    ['APP_ANDROID_CERTIFICATES', { APP_ANDROID_CERTIFICATES: ['hunter2'] }],
    ['APP_PLAY_DECRYPTION_KEY', { APP_PLAY_DECRYPTION_KEY: undefined }],
    ['APP_PLAY_DECRYPTION_KEY', { APP_PLAY_DECRYPTION_KEY: 'hunter2' }],
    ['APP_PLAY_VERIFICATION_KEY', { APP_PLAY_VERIFICATION_KEY: 'hunter2' }],
    ['APP_PLAY_VERIFICATION_KEY', { APP_PLAY_VERIFICATION_KEY: derOf('P-384') }],
    ['APP_IOS_ID', { APP_IOS_ID: 'hunter2' }],
  ])('need a valid %s: %j', (variable, change) => {
    const open = () => openAttestedApps({ ...ANDROID, ...change })
    expect(open).toThrow(variable)
    expect(open).not.toThrow('hunter2')
  })
})
