import { describe, expect, it } from 'vitest'
import { hostnameOf, parseOutboundUrl, parseRedirectUrl, portOf } from './url-policy.ts'

const PORTS = [443, 8443]

const INVALID = [
  '',
  ' ',
  'example.com/a.mp4',
  '//example.com/a.mp4',
  '/a.mp4',
  'http://example.com/a.mp4',
  'ftp://example.com/a.mp4',
  'file:///etc/passwd',
  'gopher://example.com/',
  'data:video/mp4;base64,AAAA',
  'javascript:alert(1)',
  'blob:https://example.com/1',
  'view-source:https://example.com/',
  'https:',
  'https:/',
  'https://',
  'https:127.0.0.1',
  'https:/127.0.0.1',
  'https:example.com/a.mp4',
  'https:///example.com/a.mp4',
  'https:////example.com/a.mp4',
  'https:\\\\example.com\\a.mp4',
  'https://example.com\\@127.0.0.1/',
  'https://example.com/a\\b',
  'https://example.com:80/',
  'https://example.com:22/',
  'https://example.com:0/',
  'https://example.com:444/',
  'https://example.com:65536/',
  'https://example.com:99999999999/',
  'https://example.com:-443/',
  'https://example.com:443x/',
  'https://example.com:8443:443/',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://@example.com/',
  'https://:@example.com/',
  'https://example.com@127.0.0.1/',
  'https://1.1.1.1@127.0.0.1/',
  'https://user%40x@example.com/',
  ' https://example.com/',
  'https://example.com/ ',
  'https://example.com/a b',
  'https://exa mple.com/',
  'https://exa\tmple.com/',
  'ht\ntps://example.com/',
  'https://example.com/\r\nHost: 127.0.0.1',
  'https://example.com/\n',
  'https://example.com/\0',
  'https://example.com/\u007f',
  'https://example.com/\u0085',
  'https://example.com/\u00a0',
  'https://example.com/\u2028',
  'https://example.com/\u3000',
  'https://example.com/\ufeff',
  'https://example.com/\ud800',
  'https://example.com%00/',
  'https://example.com%0d%0a/',
  'https://exa%20mple.com/',
  'https://example.com%2f@127.0.0.1/',
  'https://example%5c.com/',
  'https://[fe80::1%25eth0]/',
  'https://[fe80::1%eth0]/',
  'https://[2606:4700::1%25eth0]/',
  'https://[127.0.0.1]/',
  'https://[::1/',
  'https://::1/',
  'https://[::g]/',
  'https://[::1]x/',
  'https://[v1.abc]/',
  'https://256.256.256.256/',
  'https://1.2.3.4.5/',
  'https://127.0.0.0x100000000/',
  'https://4294967296/',
  'https://0x100000000/',
  'https://1.2.3.09/',
  'https://exa<mple.com/',
  'https://exa|mple.com/',
  'https://exa^mple.com/',
  'https://١٢٧.0.0.1/',
  'https://./',
  'https://?a',
  'https://#a',
  `https://example.com/${'a'.repeat(2029)}`,
]

const VALID: [string, string, number][] = [
  ['https://example.com', 'example.com', 443],
  ['https://example.com/a.mp4?X-Signature=a%20b&c=d#t=1', 'example.com', 443],
  ['HTTPS://EXAMPLE.com:443/', 'example.com', 443],
  ['https://example.com:8443/a.mp4', 'example.com', 8443],
  ['https://example.com./a.mp4', 'example.com', 443],
  ['https://example.com/a@b:c', 'example.com', 443],
  ['https://example.com?a=//b@c', 'example.com', 443],
  ['https://bücher.example/ä.mp4', 'xn--bcher-kva.example', 443],
  ['https://1.1.1.1/', '1.1.1.1', 443],
  ['https://0x01010101/', '1.1.1.1', 443],
  ['https://[2606:4700:4700::1111]:8443/', '2606:4700:4700::1111', 8443],
  [`https://example.com/${'a'.repeat(2028)}`, 'example.com', 443],
]

describe('an address that an integrator sends', () => {
  it.each(INVALID)('is invalid_url when it is %j', (url) => {
    expect(() => parseOutboundUrl(url, PORTS)).toThrow(
      expect.objectContaining({ name: 'EgressError', code: 'invalid_url' }),
    )
  })

  it.each(VALID)('can be %s', (url, hostname, port) => {
    const parsed = parseOutboundUrl(url, PORTS)
    expect([hostnameOf(parsed), portOf(parsed)]).toEqual([hostname, port])
  })

  it('is longer only if this service has signed it', () => {
    const long = `https://example.com/${'a'.repeat(8_000)}`
    expect(parseOutboundUrl(long, PORTS, true).href).toBe(long)
    expect(() => parseOutboundUrl(`${long}${'a'.repeat(200)}`, PORTS, true)).toThrow('longer')
  })

  it('is never quoted in the error, because its query can contain a signature', () => {
    const parse = () => parseOutboundUrl('https://exa<mple.com/?token=abc', PORTS)
    expect(parse).toThrow(expect.objectContaining({ message: expect.not.stringContaining('abc') }))
    expect(parse).toThrow(expect.not.objectContaining({ cause: expect.anything() }))
  })
})

describe('the Location of a redirect', () => {
  const from = new URL('https://example.com/videos/a.mp4?x=1')

  it.each([
    ['b.mp4', 'https://example.com/videos/b.mp4'],
    ['/b.mp4?y=2', 'https://example.com/b.mp4?y=2'],
    ['../../b.mp4', 'https://example.com/b.mp4'],
    ['?y=2', 'https://example.com/videos/a.mp4?y=2'],
    ['//cdn.example/b.mp4', 'https://cdn.example/b.mp4'],
    ['//cdn.example:8443/b@c', 'https://cdn.example:8443/b@c'],
    ['https://cdn.example/b.mp4', 'https://cdn.example/b.mp4'],
    ['/at/1:2', 'https://example.com/at/1:2'],
    [`/${'a'.repeat(3000)}`, `https://example.com/${'a'.repeat(3000)}`],
  ])('can be %s', (location, expected) => {
    expect(parseRedirectUrl(location, from, PORTS).href).toBe(expected)
  })

  it.each([
    '',
    'http://example.com/b.mp4',
    'https://example.com:80/b.mp4',
    'https:b.mp4',
    'https:/b.mp4',
    'file:///etc/passwd',
    'data:video/mp4,',
    '//user@cdn.example/',
    '//cdn.example:22/',
    '//',
    '///cdn.example/b.mp4',
    '//?a',
    '/\\cdn.example/',
    '\\\\cdn.example/',
    '/a b',
    '/a\tb',
    `/${'a'.repeat(9000)}`,
  ])('is invalid_url when it is %j', (location) => {
    expect(() => parseRedirectUrl(location, from, PORTS)).toThrow(
      expect.objectContaining({ code: 'invalid_url' }),
    )
  })
})
