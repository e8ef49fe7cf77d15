import { describe, expect, it } from 'vitest'
import { createEgress } from './egress.ts'

/** Spellings of addresses that are not public. The check must apply to their canonical form. */
const NOT_ALLOWED = `
  127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7F000001 0x7f.1 0x7f.0x0.0x0.0x1 0177.0.0.1 0177.1 017700000001
  00000177.0.0.1 0 0.0.0.0 0.1.2.3 0x0 127.0.0.1. 0x7f000001. %31%32%37.0.0.1 127.0.0.%31 127%2e0%2e0%2e1
  127。0。0。1 127．0．0．1 127｡0｡0｡1 １２７.０.０.１ ①②⑦.⓪.⓪.① ⑫7.0.0.1 127.0.0.1#@example.com 127.0.0.1?@example.com
  127.0.0.1/@example.com 127.0.0.1:443 127.0.0.1:8443 127.0.0.1: 10.0.0.1 10.1 0xa.1 012.0.0.1 167772161 172.16.0.1
  172.31.255.255 0xac.16.1 192.168.1.1 192.168.257 3232235777 0xc0a80101 169.254.169.254 2852039166 0xa9fea9fe
  0251.0376.0251.0376 169.254.43518 169.16689662 169.254.170.2 100.64.0.1 100.100.100.200 168.63.129.16 0xa83f8110
  192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 4294967295
  [::1] [::] [0:0:0:0:0:0:0:1] [0000::0001] [::0.0.0.1] [::ffff:127.0.0.1] [::FFFF:7F00:1] [0:0:0:0:0:ffff:7f00:0001]
  [::ffff:a9fe:a9fe] [::ffff:169.254.169.254] [::ffff:8.8.8.8] [::127.0.0.1] [::a9fe:a9fe] [::ffff:0:127.0.0.1]
  [64:ff9b::a9fe:a9fe] [64:ff9b::10.0.0.1] [64:ff9b:1::a9fe:a9fe] [2002:7f00:1::] [2002:a9fe:a9fe::1]
  [2001:0:4136:e378:8000:63bf:3fff:fdd2] [fc00::1] [fd00:ec2::254] [fe80::1] [fec0::1] [ff02::1] [100::1] [2001:db8::1]
  [3fff::1] [5f00::1] [4000::1] [::1]:8443 localhost LOCALHOST localhost. a.localhost ⓛocalhost localhost:8443`

describe('an address that an integrator sends', () => {
  it.each(NOT_ALLOWED.trim().split(/\s+/))(
    'is address_not_allowed when the host is written %s',
    async (host) => {
      const egress = createEgress({ dnsServers: ['127.0.0.1:1'] })
      await expect(egress.checkAddress(`https://${host}`)).rejects.toMatchObject({
        name: 'EgressError',
        code: 'address_not_allowed',
      })
    },
  )

  it.each(['https://1.1.1.1', 'https://[2606:4700:4700::1111]:8443', 'https://172.32.0.1/a.mp4'])(
    'can be the public literal %s, without a lookup',
    async (url) => {
      await createEgress({ dnsServers: ['127.0.0.1:1'] }).checkAddress(url)
    },
  )
})
