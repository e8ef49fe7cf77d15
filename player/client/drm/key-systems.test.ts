import { describe, expect, it } from 'vitest'
import type { PlayerDrm } from '../../player-data.ts'
import { isHardwareLevel, keySystemConfiguration, keySystemsOf } from './key-systems.ts'

const EDGE = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/150.0 Safari/537.36 Edg/150.0'
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/150.0 Safari/537.36'
const EDGE_ON_MAC = 'Mozilla/5.0 (Macintosh) Chrome/150.0 Safari/537.36 Edg/150.0'
const SAFARI = 'Mozilla/5.0 (Macintosh) Version/18.0 Safari/605.1.15'

const server = (system: string) => ({ licenceUrl: `/licences/${system}`, certificateUrl: null })
const DRM: PlayerDrm = {
  moduleUrl: '',
  wordsUrl: '',
  servers: {
    widevine: server('widevine'),
    playready: server('playready'),
    fairplay: server('fairplay'),
  },
  hdNeedsHardware: false,
  uhdNeedsHardware: false,
  outputProtection: 'none',
  fairplayHlsUrl: null,
  renewalSeconds: null,
  noHardwareUrl: null,
}

const configure = (userAgent: string, vendor = 'Google Inc.') =>
  keySystemConfiguration(
    keySystemsOf({ userAgent, vendor }),
    DRM,
    { widevine: Uint8Array.of(8, 5) },
    'https://play.example/v/a',
  )

describe('the key systems of a platform', () => {
  it.each([
    ['Edge on Windows', EDGE, 'Google Inc.', ['playready', 'widevine']],
    ['Chrome on Windows', CHROME, 'Google Inc.', ['widevine']],
    ['Edge on a Mac', EDGE_ON_MAC, 'Google Inc.', ['widevine']],
    ['Safari', SAFARI, 'Apple Computer, Inc.', ['fairplay']],
    ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0', '', ['widevine']],
  ])('are, for %s, in this order', (_name, userAgent, vendor, systems) => {
    expect(keySystemsOf({ userAgent, vendor }).map(({ system }) => system)).toEqual(systems)
  })

  it('are asked for in hardware before software, picture and audio alike', () => {
    expect(configure(CHROME).advanced['com.widevine.alpha']).toMatchObject({
      videoRobustness: ['HW_SECURE_ALL', 'SW_SECURE_DECODE', 'SW_SECURE_CRYPTO'],
      audioRobustness: ['HW_SECURE_ALL', 'SW_SECURE_CRYPTO'],
      serverCertificate: Uint8Array.of(8, 5),
    })
  })

  it('have licence servers by the name in manifests, and levels by the name that browsers know', () => {
    const { servers, preferredKeySystems, keySystemsMapping, advanced } = configure(EDGE)
    expect(servers).toEqual({
      'com.microsoft.playready': 'https://play.example/licences/playready',
      'com.widevine.alpha': 'https://play.example/licences/widevine',
    })
    expect(preferredKeySystems).toEqual([
      'com.microsoft.playready.recommendation',
      'com.widevine.alpha',
    ])
    expect(keySystemsMapping).toEqual({
      'com.microsoft.playready': 'com.microsoft.playready.recommendation',
    })
    expect(advanced['com.microsoft.playready.recommendation']).toMatchObject({
      videoRobustness: ['3000'],
      audioRobustness: [],
    })
  })

  it.each([
    ['HW_SECURE_ALL', true],
    ['3000', true],
    ['SW_SECURE_DECODE', false],
    ['2000', false],
    ['', false],
  ])('know that the level "%s" is hardware: %s', (level, isHardware) => {
    expect(isHardwareLevel(level)).toBe(isHardware)
  })
})
