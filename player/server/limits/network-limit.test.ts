import { describe, expect, it } from 'vitest'
import { networksOf } from './client-networks.ts'
import { createNetworkLimit } from './network-limit.ts'
import { createRateLimit } from './rate-limit.ts'

describe('the networks of an address', () => {
  it.each([
    ['192.0.2.1', 'c0000201/32', 'c00002/24'],
    ['::ffff:192.0.2.1', 'c0000201/32', 'c00002/24'],
    ['2001:db8:1:2:3::4', '20010db800010002/64', '20010db80001/48'],
    ['', 'unknown', 'unknown'],
  ])('%s are %s and %s', (ip, narrow, wide) => {
    expect(networksOf(ip)).toEqual({ narrow, wide })
  })
})

describe('a rate limit', () => {
  it('allows the burst at once and then the rate', () => {
    const limit = createRateLimit({ burst: 3, perSecond: 2 })
    for (let n = 0; n < 3; n++) {
      expect(limit.waitMs('a', 1000)).toBe(0)
      limit.spend('a', 1000)
    }
    expect(limit.waitMs('a', 1000)).toBe(500)
    expect(limit.waitMs('b', 1000)).toBe(0)
    expect(limit.waitMs('a', 1500)).toBe(0)
    limit.spend('a', 1500)
    expect(limit.waitMs('a', 1500)).toBe(500)
    expect(limit.waitMs('a', 3500)).toBe(0)
  })

  it('remembers a bounded number of keys', () => {
    const limit = createRateLimit({ burst: 1, perSecond: 1 }, 2)
    for (const key of ['a', 'b', 'c']) limit.spend(key, 0)
    expect(['a', 'b', 'c'].map(limit.knows)).toEqual([false, true, true])
  })
})

it('the limit of a network is not used up by what the network around it is refused', () => {
  const limit = createNetworkLimit({ burst: 2, perSecond: 0.001 })
  const address = (n: number) => networksOf(`192.0.2.${n}`)
  for (let n = 0; n < 8; n++) expect(limit.take(address(n))).toBe(0)
  expect(limit.isFlooding(address(1))).toBe(false)
  expect(limit.take(address(200))).toBeGreaterThan(0)
  expect(limit.isFlooding(address(1))).toBe(true)
  expect(limit.take(networksOf('192.0.3.1'))).toBe(0)
  expect(limit.take(null)).toBe(0)
})
