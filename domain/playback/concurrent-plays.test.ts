import { describe, expect, it } from 'vitest'
import { DEFAULT_LICENCE_POLICY, leasedPolicy, policyFault } from '../drm/licence-policy.ts'

describe('a licence of an account that limits concurrent plays', () => {
  it('lasts two heartbeats and is renewed after one', () => {
    expect(leasedPolicy(DEFAULT_LICENCE_POLICY)).toEqual({
      ...DEFAULT_LICENCE_POLICY,
      licenceSeconds: 120,
      renewalSeconds: 60,
    })
  })

  it.each([
    [
      { licenceSeconds: 60, renewalSeconds: null },
      { licenceSeconds: 60, renewalSeconds: 30 },
    ],
    [
      { licenceSeconds: 90, renewalSeconds: 80 },
      { licenceSeconds: 90, renewalSeconds: 45 },
    ],
    [
      { licenceSeconds: 3600, renewalSeconds: 40 },
      { licenceSeconds: 120, renewalSeconds: 40 },
    ],
  ])('keeps shorter times of the plan: %j becomes %j', (own, expected) => {
    const policy = leasedPolicy({ ...DEFAULT_LICENCE_POLICY, ...own })
    expect(policy).toMatchObject(expected)
    expect(policyFault(policy)).toBeNull()
  })
})
