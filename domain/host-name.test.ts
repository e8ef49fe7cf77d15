import { afterEach, describe, expect, it, vi } from 'vitest'
import { hostMatcher, hostRule, matchesHost, normaliseHost } from './host-name.ts'

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
    ['https://evil.example\\@site.example/', 'evil.example'],
    ['https://faß.example/', 'xn--fa-hia.example'],
    ['https://ｓｉｔｅ.example/', 'site.example'],
    ['https://site。example/', 'site.example'],
    ['http://[::FFFF:192.0.2.1]/', '[::ffff:c000:201]'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://my_site.example/', 'my_site.example'],
  ])('of %s is %s', (header, host) => expect(normaliseHost(header)).toBe(host))

  it.each([
    '',
    ' ',
    'about:srcdoc',
    'https://',
    '/',
    'a b',
    'https://.site.example/',
    'https://a..example/',
    'ftp://site.example/',
    'android-app://com.site.example/',
    'https://site.example:99999/',
    'https://[fe80::1%25eth0]/',
    `https://${'a.'.repeat(130)}b/`,
  ])('is missing from %p', (header) => expect(normaliseHost(header)).toBeNull())

  it('is read in milliseconds from the longest header, whatever a client writes in it', () => {
    const startedAt = performance.now()
    for (const text of [':', '1:', '.', 'a.', 'http:', '[:'])
      normaliseHost(`${text.repeat(16_000 / text.length)}x`)
    expect(performance.now() - startedAt).toBeLessThan(200)
  })
})

describe('matching is by hostname', () => {
  const matches = (rule: string, host: string): boolean => {
    const name = normaliseHost(host) ?? ''
    const isMatch = matchesHost(rule, name)
    expect(hostMatcher(['other.test', rule, '*.other.test'])(name)).toBe(isMatch)
    return isMatch
  }

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
    ['[2001:db8::1]', '[2001:DB8:0::1]'],
    ['2001:db8::1', '[2001:db8::1]'],
    ['[2001:db8::1]:3000', '[2001:db8::1]'],
    ['127.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['localhost', 'localhost'],
  ])('%s matches %s', (rule, host) => expect(matches(rule, host)).toBe(true))

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
    ['*.0.0.1', '127.0.0.1'],
    ['*.[::1]', '[::1]'],
    ['**.site.example', 'a.site.example'],
    ['ftp://site.example', 'site.example'],
  ])('%s does not match %s', (rule, host) => expect(matches(rule, host)).toBe(false))
})

describe('a plain rule', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('is read without a URL, because an embed page reads up to 2,000 rules', () => {
    const refuse = class {
      constructor() {
        throw new Error('no URL can be read here')
      }
    }
    vi.stubGlobal('URL', refuse)
    expect(matchesHost('127.1', '127.0.0.1')).toBe(false)
    expect(matchesHost('site.example', 'site.example')).toBe(true)
    expect(matchesHost('*.my-site-2.example', 'a.my-site-2.example')).toBe(true)
  })
})

describe('an entry of the domain lists', () => {
  it.each([
    ['site.example', 'site.example'],
    [' *.Site.Example ', '*.site.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['https://site.example', null],
    ['site.example:8080', null],
    ['site.example/lesson', null],
    ['user@site.example', null],
    ['site.*', null],
    ['*', null],
    ['*.', null],
    ['a b.example', null],
    ['', null],
  ])('%p is stored as %p', (text, rule) => expect(hostRule(text)).toBe(rule))
})
