import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAddressPolicy } from './address-policy.ts'

const REFUSED = `
  0.0.0.0 0.1.2.3 0.255.255.255 10.0.0.0 10.0.0.1 10.255.255.255 100.64.0.0 100.64.0.1 100.100.100.200
  100.127.255.255 127.0.0.0 127.0.0.1 127.255.255.255 168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2
  169.254.255.255 172.16.0.0 172.16.0.1 172.31.255.255 192.0.0.0 192.0.0.1 192.0.0.8 192.0.0.9 192.0.0.170
  192.0.0.192 192.0.2.1 192.0.2.255 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.0 192.168.1.1
  192.168.255.255 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 203.0.113.255 224.0.0.1
  224.0.0.251 239.255.255.250 240.0.0.1 255.255.255.254 255.255.255.255
  :: ::1 ::2 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::ffff:8.8.8.8 ::127.0.0.1 ::a9fe:a9fe ::7f00:1 ::8.8.8.8
  ::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8 64:ff9b::a9fe:a9fe 64:ff9b::8.8.8.8 64:ff9b:1::a9fe:a9fe
  64:ff9b:1:ffff::1 100::1 100:0:0:1::1 200::1 400::1 1000::1 1fff:ffff::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
  2001:1::1 2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1 2001:30::1 2001:1ff:ffff::1 2001:db8::1
  2001:db8:ffff::1 2002:7f00:1:: 2002:7f00:1::1 2002:a9fe:a9fe::1 2002:808:808::1 2002:ffff::1 2620:4f:8000::1
  3ffe::1 3fff::1 3fff:fff:ffff::1 4000::1 5f00::1 6000::1 8000::1 a000::1 c000::1 e000::1 f000::1 f800::1
  fc00::1 fd00:ec2::254 fd20:ce::254 fdff:ffff::1 fe00::1 fe80::1 fe80::a9fe:a9fe febf::1 fec0::1 feff::1
  ff02::1 ff0e::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  2606:4700::5efe:10.0.0.1 2606:4700::200:5efe:10.0.0.1
  fe80::1%eth0 2606:4700::1%eth0 127.1 2130706433 0x7f000001 0177.0.0.1 010.0.0.1 127.0.0.1. 1.1.1 1.1.1.1.1
  256.1.1.1 example.com localhost [::1] 1.1.1.1/32 1.1.1.1:443 :::1 1::2::3`
const ALLOWED = `
  1.0.0.1 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.254 100.63.255.255 100.128.0.0 100.128.0.1 126.255.255.255
  128.0.0.1 168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 172.32.0.1
  191.255.255.255 192.0.1.1 192.0.3.1 192.88.98.255 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255
  198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
  2001:200::1 2001:4860:4860::8888 2003::1 2400:cb00::1 2606:4700:4700::1111 2620:fe::fe 2a00:1450:4001::200e
  2001:db7:ffff::1 2001:db9::1 3fff:1000::1 2620:4f:8001::1`

const cases = (text: string) => text.trim().split(/\s+/)

describe('an address that a link or a webhook may be connected to', () => {
  const policy = createAddressPolicy()

  it.each(cases(REFUSED))('is not %s, which is not globally routable unicast', (address) => {
    expect(policy.isAllowed(address)).toBe(false)
  })

  it.each(cases(ALLOWED))('can be %s', (address) => {
    expect(policy.isAllowed(address)).toBe(true)
  })

  it('is not an empty text', () => {
    expect(policy.isAllowed('')).toBe(false)
  })

  it('is never an IPv6 address outside of 2000::/3', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    const outside = group.filter((first) => first >> 13 !== 1)
    fc.assert(
      fc.property(fc.tuple(outside, ...Array.from({ length: 7 }, () => group)), (groups) => {
        const address = groups.map((value) => value.toString(16)).join(':')
        return !policy.isAllowed(address)
      }),
    )
  })

  it('is never a private IPv4 address in any IPv6 form', () => {
    const forms = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', '2001::', '2002::']
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.constantFrom(...forms), fc.tuple(byte, byte, byte, byte), (form, bytes) => {
        return !policy.isAllowed(`${form}${bytes.join('.')}`)
      }),
    )
  })
})

describe("the operator's allowed networks", () => {
  it('allow exactly what they name', () => {
    const policy = createAddressPolicy(['127.0.0.0/8', '10.1.2.3/32', 'fd00::/16'])
    const allowed = ['127.0.0.1', '127.255.0.1', '10.1.2.3', 'fd00::7', '1.1.1.1']
    const refused = ['10.1.2.4', '128.0.0.1%1', '192.168.0.1', 'fd01::7', '::1', '::ffff:127.0.0.1']
    expect(allowed.filter((address) => !policy.isAllowed(address))).toEqual([])
    expect(refused.filter((address) => policy.isAllowed(address))).toEqual([])
  })

  it('are logged as a warning once, and not at all when there are none', () => {
    const lines: unknown[] = []
    const logger = { warn: (fields: object, message: string) => lines.push({ fields, message }) }
    createAddressPolicy([], logger)
    expect(lines).toEqual([])
    const policy = createAddressPolicy(['10.0.0.0/8'], logger)
    policy.isAllowed('10.0.0.1')
    policy.isAllowed('10.0.0.2')
    expect(lines).toEqual([
      {
        fields: { allowedNetworks: ['10.0.0.0/8'] },
        message: expect.stringContaining('EGRESS EXCEPTIONS ARE IN FORCE'),
      },
    ])
  })

  it.each(['10.0.0.0', '10.0.0.0/33', 'example.com/8', '', '::/129'])(
    'cannot be %j, and the error names it',
    (cidr) => {
      expect(() => createAddressPolicy([cidr])).toThrow(`"${cidr}"`)
    },
  )
})
