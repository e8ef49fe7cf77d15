import { describe, expect, it } from 'vitest'
import { AppSettingsError } from '../../../security/attestation/open-attested-apps.ts'
import { mobileAppOf } from './open-mobile-app.ts'

const NO_APP = {
  APP_ANDROID_CERTIFICATES: [],
  APP_ANDROID_INTEGRITY: 'device',
  APP_IOS_ENVIRONMENT: 'production',
} as const
const IOS = { ...NO_APP, APP_IOS_ID: '1234567890.com.example.player' }

describe('the mobile app of a configuration', () => {
  it('is none unless it may play, also if its variables are not valid', () =>
    expect(mobileAppOf({ ...IOS, APP_IOS_ID: 'wrong', APP_PLAYBACK: 'off' })).toBeUndefined())

  it('may be any program if a link is enough', () =>
    expect(mobileAppOf({ ...NO_APP, APP_PLAYBACK: 'open' })).toEqual({
      mustAttest: false,
      apps: { android: null, ios: null },
    }))

  it('must attest itself if it is asked to', () =>
    expect(mobileAppOf({ ...IOS, APP_PLAYBACK: 'attested' })).toMatchObject({
      mustAttest: true,
      apps: { android: null, ios: { appId: IOS.APP_IOS_ID } },
    }))

  it('is refused if it must attest itself and no app can', () =>
    expect(() => mobileAppOf({ ...NO_APP, APP_PLAYBACK: 'attested' })).toThrow(AppSettingsError))
})
