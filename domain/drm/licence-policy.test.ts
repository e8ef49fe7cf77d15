import { describe, expect, it } from 'vitest'
import { DEFAULT_LICENCE_POLICY, demandsOf, policyFault } from './licence-policy.ts'

const policy = (change: object) => ({ ...DEFAULT_LICENCE_POLICY, ...change })

describe('the policy of a plan', () => {
  it('demands nothing until the operator changes it', () => {
    for (const track of ['AUDIO', 'SD', 'HD', 'UHD'] as const)
      expect(demandsOf([track], DEFAULT_LICENCE_POLICY)).toEqual({ hardware: false, hdcp: 'none' })
    expect(policyFault(DEFAULT_LICENCE_POLICY)).toBeNull()
  })

  it('demands hardware and protected outputs of HD and UHD, never of audio and SD', () => {
    const strict = policy({
      hdNeedsHardware: true,
      uhdNeedsHardware: true,
      outputProtection: 'required',
    })
    expect(demandsOf(['AUDIO'], strict)).toEqual({ hardware: false, hdcp: 'none' })
    expect(demandsOf(['SD'], strict)).toEqual({ hardware: false, hdcp: 'none' })
    expect(demandsOf(['HD'], strict)).toEqual({ hardware: true, hdcp: 'type0' })
    expect(demandsOf(['UHD'], strict)).toEqual({ hardware: true, hdcp: 'type1' })
    const relaxed = policy({ uhdNeedsHardware: true, outputProtection: 'best-effort' })
    expect(demandsOf(['HD'], relaxed)).toEqual({ hardware: false, hdcp: 'attempt' })
    expect(demandsOf(['UHD'], relaxed)).toEqual({ hardware: true, hdcp: 'attempt' })
  })

  it('gives a shared key the strictest demands of the tracks that it opens', () => {
    const strict = policy({ hdNeedsHardware: true })
    expect(demandsOf(['SD', 'HD'], strict)).toMatchObject({ hardware: true })
    expect(demandsOf(['UHD', 'AUDIO', 'HD'], strict)).toMatchObject({ hardware: true })
  })

  it.each([
    [{ licenceSeconds: 59 }, 'lasts 60 to 86400'],
    [{ licenceSeconds: 86_401 }, 'lasts 60 to 86400'],
    [{ renewalSeconds: 29 }, 'at least 30'],
    [{ licenceSeconds: 60, renewalSeconds: 60 }, 'before it ends'],
  ])('with %j is not valid', (change, fault) => {
    expect(policyFault(policy(change))).toContain(fault)
  })
})
