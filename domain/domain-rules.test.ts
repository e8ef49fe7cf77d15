import { describe, expect, it } from '@jest/globals'
import { hostOfSite, matchesAny, normaliseHost, parseDomainRule } from './domain-rules.ts'

describe('the host of the embedding page', () => {
  it.each([
    ['https://site.example/watch?x=1#y', 'site.example'],
    ['http://SITE.Example/', 'site.example'],
    ['https://site.example.', 'site.example'],
    ['https://site.example:8443/a', 'site.example'],
    ['https://user:pass@site.example/', 'site.example'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://XN--BCHER-KVA.example/', 'xn--bcher-kva.example'],
    ['http://[2001:DB8:0:0::1]:3000/', '[2001:db8::1]'],
    ['http://127.1/', '127.0.0.1'],
    ['https://evil.example/https://site.example', 'evil.example'],
    ['https://site.example@evil.example/', 'evil.example'],
  ])('of %s is %s', (header, host) => expect(hostOfSite(header)).toBe(host))

  it.each([undefined, '', 'null', 'about:srcdoc', 'android-app://org.example/', 'https://', '/x'])(
    'is missing from %p',
    (header) => expect(hostOfSite(header)).toBeNull(),
  )
})

describe('matching is by hostname', () => {
  const matches = (entry: string, host: string): boolean =>
    matchesAny(normaliseHost(host) ?? '', [entry])

  it.each([
    ['site.example', 'site.example'],
    ['Site.Example', 'site.example'],
    ['site.example.', 'site.example'],
    ['site.example:8080', 'site.example'],
    ['https://site.example/path?x', 'site.example'],
    [' site.example ', 'site.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'BÜCHER.example'],
    ['*.site.example', 'www.site.example'],
    ['*.site.example', 'a.b.c.site.example'],
    ['*.Site.Example.', 'a.site.example'],
    ['*.bücher.example', 'www.xn--bcher-kva.example'],
    ['https://*.site.example', 'www.site.example'],
    ['[2001:db8::1]', '[2001:DB8:0::1]'],
    ['2001:db8::1', '[2001:db8::1]'],
    ['2001:db8:0:0:0:0:0:1', '[2001:db8::1]'],
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', 'localhost'],
  ])('%s lets %s in', (entry, host) => expect(matches(entry, host)).toBe(true))

  it.each([
    ['site.example', 'www.site.example'],
    ['site.example', 'notsite.example'],
    ['site.example', 'site.example.evil.test'],
    ['*.site.example', 'site.example'],
    ['*.site.example', 'notsite.example'],
    ['*.site.example', 'www.site.example.evil.test'],
    ['*', 'site.example'],
    ['*.', 'site.example'],
    ['*.*.example', 'a.b.example'],
    ['www.*.example', 'www.a.example'],
    ['', 'site.example'],
    ['%', 'site.example'],
    ['*.0.0.1', '127.0.0.1.example'],
  ])('%s does not match %s', (entry, host) => expect(matches(entry, host)).toBe(false))

  it('reads nothing out of an entry that names no host', () => {
    for (const entry of ['', ' ', '*', '*.', 'a b', 'https://']) {
      expect(parseDomainRule(entry)).toBeNull()
    }
  })
})
