import { describe, expect, it } from 'vitest'
import { drmProblemOf, type DrmFacts } from './drm-problems.ts'

const FACTS: DrmFacts = { isFairPlay: false, lastRefusal: null }
/** An error of Shaka Player for a licence request that got this response. */
const responded = (status: number, code: string) => ({
  code: 6007,
  category: 6,
  data: [{ code: 1001, data: ['https://x', status, JSON.stringify({ error: { code } })] }],
})

describe('an error of DRM', () => {
  it.each([
    ['no_cdm, without a CDM', { code: 6001 }, 'drm_no_cdm'],
    ['the refused session, if it has ended', responded(403, 'viewer_revoked'), 'viewer_revoked'],
    ['too many streams', responded(403, 'too_many_streams'), 'too_many_streams'],
    ['a revoked device', responded(403, 'drm_device_revoked'), 'drm_device_revoked'],
    ['too low a level', responded(403, 'drm_security_too_low'), 'drm_security_too_low'],
    ['a blocked output', responded(403, 'drm_output_blocked'), 'drm_output_blocked'],
    ['a provider that is away', responded(503, 'drm_unavailable'), 'drm_unavailable'],
    ['a player host that is away', responded(502, 'x'), 'drm_unavailable'],
    ['a provider that is asked too often', responded(429, 'too_many_requests'), 'drm_unavailable'],
    ['any other refusal', responded(403, 'x'), 'licence_refused'],
    ['a lost connection', { code: 6007, data: [{ code: 1002 }] }, 'network'],
    ['a licence that the CDM does not take', { code: 6008 }, 'licence_refused'],
    ['an expired licence', { code: 6014 }, 'drm_expired'],
    ['a failure, without a certificate', { code: 6015, category: 6 }, 'failed'],
    [
      'HDCP, if the output is restricted',
      { code: 4012, data: [{ restrictedKeyStatuses: ['output-restricted'] }] },
      'drm_output_blocked',
    ],
    ['a refusal, if no key has arrived', { code: 4012, data: [{}] }, 'licence_refused'],
  ])('is shown as %s', (_title, error, problem) => {
    expect(drmProblemOf(error, FACTS)).toBe(problem)
  })

  it('is shown as the last refusal, which Shaka Player does not report while other keys remain', () => {
    const facts = { ...FACTS, lastRefusal: 'drm_device_revoked' } as const
    expect(drmProblemOf({ code: 4012, data: [{}] }, facts)).toBe('drm_device_revoked')
    expect(drmProblemOf({ code: 6014 }, facts)).toBe('drm_device_revoked')
  })

  it('in Safari, which tells no cause, is shown as HDCP', () => {
    expect(drmProblemOf({ code: 6006 }, { ...FACTS, isFairPlay: true })).toBe('drm_output_blocked')
    expect(drmProblemOf({ code: 6006 }, FACTS)).toBe('failed')
  })

  it.each([{ code: 1001 }, { code: 3016 }, null, 'x'])('of another kind, %j, is none', (error) => {
    expect(drmProblemOf(error, FACTS)).toBeNull()
  })
})
