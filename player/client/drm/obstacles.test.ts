import { describe, expect, it } from 'vitest'
import type { PlayerDrm } from '../../player-data.ts'
import { obstacleOf, type DeviceFacts } from './obstacles.ts'

const none = { licenceUrl: '', certificateUrl: null }
const STRICT: PlayerDrm = {
  moduleUrl: '',
  wordsUrl: '',
  servers: { widevine: none, playready: none, fairplay: none },
  hdNeedsHardware: true,
  uhdNeedsHardware: true,
  outputProtection: 'required',
  fairplayHlsUrl: null,
  renewalSeconds: null,
  noHardwareUrl: null,
}
const GOOD: DeviceFacts = { isHardware: true, hasHdcp: { hd: true, uhd: true } }
const SD = { width: 640, height: 360 }
const HD = { width: 1280, height: 720 }
const UHD = { width: 3840, height: 2160 }

describe('a quality is not offered', () => {
  it.each([
    ['for HDCP if the CDM says so', SD, 'output-restricted', STRICT, GOOD, 'hdcp'],
    ['for hardware', HD, undefined, STRICT, { ...GOOD, isHardware: false }, 'hardware'],
    [
      'for a licence if the plan does not demand hardware of it',
      HD,
      undefined,
      { ...STRICT, hdNeedsHardware: false },
      { ...GOOD, isHardware: false },
      'licence',
    ],
    [
      'for the HDCP of UHD alone',
      UHD,
      undefined,
      STRICT,
      { ...GOOD, hasHdcp: { hd: true, uhd: false } },
      'hdcp',
    ],
    [
      'for a licence if the browser cannot tell about HDCP',
      HD,
      undefined,
      STRICT,
      { ...GOOD, hasHdcp: { hd: null, uhd: null } },
      'licence',
    ],
    ['for a licence if it is SD', SD, undefined, STRICT, { ...GOOD, isHardware: false }, 'licence'],
  ] as const)('%s', (_title, size, status, drm, facts, obstacle) => {
    expect(obstacleOf(size, status, drm, facts)).toBe(obstacle)
  })
})
