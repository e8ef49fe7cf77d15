import {
  AppSettingsError,
  openAttestedApps,
  type AppVariables,
} from '../../../security/attestation/open-attested-apps.ts'
import type { MobileApp } from '../deps.ts'

/** Returns the mobile app of the configuration; undefined if it may not play. Throws an AppSettingsError. */
export function mobileAppOf(
  variables: AppVariables & { APP_PLAYBACK: 'off' | 'open' | 'attested' },
): MobileApp | undefined {
  const { APP_PLAYBACK } = variables
  if (APP_PLAYBACK === 'off') return undefined
  const apps = openAttestedApps(variables)
  const mustAttest = APP_PLAYBACK === 'attested'
  if (mustAttest && !apps.android && !apps.ios)
    throw new AppSettingsError('APP_PLAYBACK=attested needs APP_ANDROID_PACKAGE or APP_IOS_ID.')
  return { mustAttest, apps }
}
