import { describe, expect, it } from 'vitest'
import { DEFAULT_PLAYER_SETTINGS, type PlayerSettings } from '../settings/player-settings.ts'
import {
  decideEmbed,
  frameAncestors,
  referrerHost,
  type EmbedDecision,
  type EmbedRequest,
} from './embed-access.ts'

type Changes = Partial<PlayerSettings>

const hosts: Pick<EmbedRequest, 'serviceDomains' | 'directPlayHost'> = {
  serviceDomains: ['service.example', '*.service.example'],
  directPlayHost: 'watch.example',
}

function decide(referrer: string | null, changes: Changes, operator = hosts): EmbedDecision {
  return decideEmbed({
    host: referrerHost(referrer),
    isSiteFromTicket: false,
    settings: { ...DEFAULT_PLAYER_SETTINGS, ...changes },
    ...operator,
    protection: 'clearkey',
    token: 'missing',
    browser: 'windows-other',
    isWithoutHardware: false,
    status: 'ready',
  })
}

/** Returns the decision in one word: `play`, or the reason of the refusal. */
function verdict(...request: Parameters<typeof decide>): string {
  const decision = decide(...request)
  return decision.kind === 'refused' ? decision.reason : decision.kind
}

const allow = (...allowed_domains: string[]): Changes => ({ allowed_domains })
const block = (...blocked_domains: string[]): Changes => ({ blocked_domains })
const listed = allow('site.example', '*.sub.example')
const NO = 'domain_not_allowed'
const BLOCKED = 'domain_blocked'

type Row = [name: string, referrer: string | null, settings: Changes, word: string]

describe('a request without a usable Referer or Origin is refused', () => {
  it.each<Row>([
    ['with none, even if every site may embed', null, {}, 'no_referrer'],
    ['with none, if a list is set', null, listed, 'no_referrer'],
    ['with the opaque origin', 'null', {}, 'no_referrer'],
    ['with an empty one', '', {}, 'no_referrer'],
    ['with a page that is no web address', 'about:srcdoc', {}, 'no_referrer'],
    ['with a file', 'file:///home/a/page.html', {}, 'no_referrer'],
    ['with data', 'data:text/html,x', {}, 'no_referrer'],
    ['with an extension of the browser', 'chrome-extension://abcdef/page.html', {}, 'no_referrer'],
    ['with an app', 'android-app://com.site.example/', {}, 'no_referrer'],
    ['with another scheme in front of a listed host', 'ftp://site.example/', listed, 'no_referrer'],
    ['with an address without a host', 'https:///', {}, 'no_referrer'],
    ['with an invalid port', 'https://site.example:99999/', listed, 'no_referrer'],
    ['with an empty label', 'https://.site.example/', allow('*.site.example'), 'no_referrer'],
    ['with a name longer than DNS allows', `https://${'a.'.repeat(130)}b/`, {}, 'no_referrer'],
    ['with nonsense', '%%%', {}, 'no_referrer'],
  ])('%s', (_name, referrer, settings, word) => expect(verdict(referrer, settings)).toBe(word))
})

describe('the allowed list', () => {
  it.each<Row>([
    ['that is empty allows every site', 'https://any.example/', {}, 'play'],
    ['that is empty allows an IP address', 'http://192.0.2.7/', {}, 'play'],
    ['that is empty allows localhost', 'http://localhost:3000/', {}, 'play'],
    ['allows a listed domain', 'https://site.example/', listed, 'play'],
    ['allows it with any path', 'https://site.example/a/b?c=d', listed, 'play'],
    ['allows it with any port', 'https://site.example:8443/', listed, 'play'],
    ['allows it over http', 'http://site.example/', listed, 'play'],
    ['allows a bare origin', 'https://site.example', listed, 'play'],
    ['ignores the case of a host', 'https://SITE.Example/', listed, 'play'],
    ['ignores the case of an entry', 'https://site.example/', allow('Site.EXAMPLE'), 'play'],
    ['ignores the dot at the end of a host', 'https://site.example./', listed, 'play'],
    [
      'ignores the dot at the end of an entry',
      'https://site.example/',
      allow('site.example.'),
      'play',
    ],
    ['ignores spaces around an entry', 'https://site.example/', allow(' site.example '), 'play'],
    ['ignores the port of an entry', 'https://site.example:1/', allow('site.example:2'), 'play'],
    [
      'reads the host of an entry that is an address',
      'https://site.example/',
      allow('https://site.example/x'),
      'play',
    ],
    ['refuses another domain', 'https://other.example/', listed, NO],
    ['refuses a subdomain of an exact entry', 'https://www.site.example/', listed, NO],
    ['refuses the parent of an exact entry', 'https://example/', listed, NO],
    ['refuses a domain with the same end', 'https://notsite.example/', listed, NO],
    ['refuses a domain with the same beginning', 'https://site.example.evil.example/', listed, NO],
    ['refuses a listed name in the path', 'https://evil.example/site.example', listed, NO],
    [
      'refuses a listed name in the query',
      'https://evil.example/?https://site.example',
      listed,
      NO,
    ],
    ['refuses a listed name as a user', 'https://site.example@evil.example/', listed, NO],
    [
      'refuses a listed name as a user with a password',
      'https://site.example:x@evil.example/',
      listed,
      NO,
    ],
    [
      'refuses a listed name behind a backslash',
      'https://evil.example\\@site.example/',
      listed,
      NO,
    ],
    ['reads the host behind a user', 'https://evil.example@site.example/', listed, 'play'],
    [
      'allows the site of its second entry',
      'https://b.example/',
      allow('a.example', 'b.example'),
      'play',
    ],
    ['of only unusable entries allows no site', 'https://site.example/', allow('*'), NO],
    ['with an empty entry allows no site by it', 'https://site.example/', allow(''), NO],
    ['treats no entry as a regular expression', 'https://siteXexample/', allow('site.example'), NO],
  ])('%s', (_name, referrer, settings, word) => expect(verdict(referrer, settings)).toBe(word))
})

describe('a wildcard', () => {
  const wild = allow('*.site.example')

  it.each<Row>([
    ['matches a subdomain', 'https://www.site.example/', wild, 'play'],
    ['matches a subdomain of any depth', 'https://a.b.c.d.site.example/', wild, 'play'],
    ['matches in any case', 'https://WWW.Site.Example/', wild, 'play'],
    ['matches with a dot at the end', 'https://www.site.example./', wild, 'play'],
    ['matches on any port', 'https://www.site.example:444/', wild, 'play'],
    ['does not match the bare domain', 'https://site.example/', wild, NO],
    ['does not match the bare domain with a dot', 'https://site.example./', wild, NO],
    ['does not match a domain with the same end', 'https://notsite.example/', wild, NO],
    [
      'does not match a domain that contains it',
      'https://www.site.example.evil.example/',
      wild,
      NO,
    ],
    [
      'and an entry for the bare domain match both',
      'https://site.example/',
      allow('site.example', '*.site.example'),
      'play',
    ],
    ['in the middle matches nothing', 'https://www.a.example/', allow('www.*.example'), NO],
    ['twice matches nothing', 'https://a.b.example/', allow('*.*.example'), NO],
    ['within a label matches nothing', 'https://wwwsite.example/', allow('*site.example'), NO],
    ['before an address matches nothing', 'http://127.0.0.1/', allow('*.0.0.1'), NO],
    ['of everything matches nothing', 'https://a.example/', allow('*.'), NO],
    [
      'of a top-level domain matches its domains',
      'https://site.example/',
      allow('*.example'),
      'play',
    ],
  ])('%s', (_name, referrer, settings, word) => expect(verdict(referrer, settings)).toBe(word))
})

describe('names and addresses', () => {
  it.each<Row>([
    [
      'IDN is matched by punycode',
      'https://bücher.example/',
      allow('xn--bcher-kva.example'),
      'play',
    ],
    [
      'punycode is matched by IDN',
      'https://xn--bcher-kva.example/',
      allow('bücher.example'),
      'play',
    ],
    ['IDN is matched in upper case', 'https://BÜCHER.example/', allow('bücher.example'), 'play'],
    [
      'punycode is matched in upper case',
      'https://XN--BCHER-KVA.example/',
      allow('bücher.example'),
      'play',
    ],
    ['a wildcard of IDN matches', 'https://www.bücher.example/', allow('*.bücher.example'), 'play'],
    [
      'a wildcard of IDN does not match the bare domain',
      'https://bücher.example/',
      allow('*.bücher.example'),
      NO,
    ],
    ['a letter that looks alike is another name', 'https://sitе.example/', listed, NO],
    ['an accent makes another name', 'https://bucher.example/', allow('bücher.example'), NO],
    ['wide letters are the same name', 'https://ｓｉｔｅ.example/', listed, 'play'],
    ['the Arabic name of a host matches', 'https://مثال.example/', allow('مثال.example'), 'play'],
    ['IPv4 is matched', 'http://192.0.2.7:8080/', allow('192.0.2.7'), 'play'],
    [
      'IPv4 in another notation is the same address',
      'http://0xC0000207/',
      allow('192.0.2.7'),
      'play',
    ],
    ['another IPv4 address is not', 'http://192.0.2.8/', allow('192.0.2.7'), NO],
    ['IPv6 is matched', 'http://[2001:db8::1]/', allow('[2001:db8::1]'), 'play'],
    ['IPv6 is matched without brackets', 'http://[2001:db8::1]/', allow('2001:db8::1'), 'play'],
    ['IPv6 is matched on a port', 'http://[2001:db8::1]:3000/', allow('[2001:db8::1]:80'), 'play'],
    [
      'IPv6 is matched in a longer spelling',
      'http://[2001:DB8:0:0::1]/',
      allow('2001:db8::1'),
      'play',
    ],
    ['another IPv6 address is not', 'http://[2001:db8::2]/', allow('2001:db8::1'), NO],
    ['IPv6 can be blocked', 'http://[2001:db8::1]/', block('2001:db8::1'), BLOCKED],
    ['localhost is a name like any other', 'http://localhost:5173/', allow('localhost'), 'play'],
    ['localhost is not its address', 'http://localhost/', allow('127.0.0.1'), NO],
  ])('%s', (_name, referrer, settings, word) => expect(verdict(referrer, settings)).toBe(word))
})

describe('the blocked list comes first', () => {
  it.each<Row>([
    ['if no allowed list is set', 'https://site.example/', block('site.example'), BLOCKED],
    [
      'if the site is allowed too',
      'https://site.example/',
      { ...listed, ...block('site.example') },
      BLOCKED,
    ],
    [
      'if a wildcard allows the site',
      'https://a.sub.example/',
      { ...listed, ...block('a.sub.example') },
      BLOCKED,
    ],
    ['if its entry has another spelling', 'https://site.example/', block('SITE.example.'), BLOCKED],
    ['over the service domains', 'https://service.example/', block('service.example'), BLOCKED],
    [
      'over Direct Play',
      'https://watch.example/',
      { direct_play: true, ...block('watch.example') },
      BLOCKED,
    ],
    ['by a wildcard', 'https://a.b.site.example/', block('*.site.example'), BLOCKED],
    [
      'by a wildcard, over an exact entry',
      'https://a.sub.example/',
      { ...allow('a.sub.example'), ...block('*.sub.example') },
      BLOCKED,
    ],
    [
      'by a wildcard, but not for the bare domain',
      'https://site.example/',
      block('*.site.example'),
      'play',
    ],
    [
      'but not for a subdomain of an exact entry',
      'https://www.site.example/',
      block('site.example'),
      'play',
    ],
    ['but not for other sites', 'https://other.example/', block('site.example'), 'play'],
    [
      'but not for sites with the same end',
      'https://notsite.example/',
      block('site.example'),
      'play',
    ],
    ['but not for an unusable entry', 'https://site.example/', block('*', '', '%'), 'play'],
    ['in punycode', 'https://bücher.example/', block('xn--bcher-kva.example'), BLOCKED],
    ['on every port', 'https://site.example:8443/', block('site.example:443'), BLOCKED],
  ])('%s', (_name, referrer, settings, word) => expect(verdict(referrer, settings)).toBe(word))
})

describe('the hosts of the operator', () => {
  const direct: Changes = { ...listed, direct_play: true }

  it.each<Row>([
    [
      'a service domain is allowed in addition to the list',
      'https://service.example/',
      listed,
      'play',
    ],
    ['its subdomains are allowed by a wildcard', 'https://a.service.example/', listed, 'play'],
    ['a service domain is allowed on any port', 'https://service.example:8443/', listed, 'play'],
    ['a domain with the same end is refused', 'https://myservice.example/', listed, NO],
    ['Direct Play is refused while it is off', 'https://watch.example/', listed, NO],
    ['Direct Play is allowed while it is on', 'https://watch.example/', direct, 'play'],
    ['Direct Play is allowed on any port', 'http://watch.example:8081/', direct, 'play'],
    ['Direct Play is allowed in upper case', 'https://WATCH.example/', direct, 'play'],
    ['a subdomain of Direct Play is refused', 'https://a.watch.example/', direct, NO],
    ['Direct Play allows no other site', 'https://other.example/', direct, NO],
    ['Direct Play is allowed without a list', 'https://watch.example/', {}, 'play'],
  ])('%s', (_name, referrer, settings, word) => expect(verdict(referrer, settings)).toBe(word))

  it.each<Row>([
    ['no service domain is allowed', 'https://service.example/', listed, NO],
    [
      'Direct Play is refused, even if it is on for the account',
      'https://watch.example/',
      direct,
      NO,
    ],
  ])('if the operator has none, %s', (_name, referrer, settings, word) =>
    expect(verdict(referrer, settings, { serviceDomains: [], directPlayHost: null })).toBe(word),
  )
})

describe('a refusal by domain names the refused host', () => {
  it.each<[string, Changes, EmbedDecision]>([
    [
      'blocked',
      block('*.bücher.example'),
      { kind: 'refused', reason: BLOCKED, host: 'a.xn--bcher-kva.example' },
    ],
    ['not allowed', listed, { kind: 'refused', reason: NO, host: 'a.xn--bcher-kva.example' }],
  ])('%s', (_name, settings, decision) =>
    expect(decide('https://A.bücher.example:444/x', settings)).toEqual(decision),
  )
})

describe('frame-ancestors follow the same rules', () => {
  const sources = (changes: Changes, host: string | null = 'a.example', operator = hosts) =>
    frameAncestors({ settings: { ...DEFAULT_PLAYER_SETTINGS, ...changes }, ...operator, host })
  const both = (...names: string[]) =>
    names.flatMap((name) => [`https://${name}:*`, `http://${name}:*`])
  const service = both('service.example', '*.service.example')

  it('are open while the allowed list is empty', () =>
    expect(sources(block('x.example'))).toEqual(['*']))

  it('list the allowed hosts and those of the service', () =>
    expect(sources(allow('*.A.example:80', 'b.example'))).toEqual([
      ...both('*.a.example', 'b.example'),
      ...service,
    ]))

  it('list the Direct Play host while it is on', () =>
    expect(sources({ ...allow('b.example'), direct_play: true })).toEqual([
      ...both('b.example'),
      ...service,
      ...both('watch.example'),
    ]))

  it('contain no character that could end the directive', () =>
    expect(
      sources(allow("b.example; script-src 'unsafe-inline'", 'c.example d.example', '*')),
    ).toEqual(service))

  it('are in punycode, because headers are ASCII', () =>
    expect(sources(allow('bücher.example'))).toEqual([
      ...both('xn--bcher-kva.example'),
      ...service,
    ]))

  it('are open for a site with an IPv6 address, which the directive cannot express', () => {
    expect(sources(allow('2001:db8::1', 'b.example'), '[2001:db8::1]')).toEqual(['*'])
    expect(sources(allow('2001:db8::1', 'b.example'))).toEqual([...both('b.example'), ...service])
  })

  it('of a list too long for a header contain only the rule that allowed this site', () => {
    const many = Array.from({ length: 1000 }, (_, n) => `n${n}.example`)
    expect(sources(allow(...many, '*.site.example'), 'www.site.example')).toEqual(
      both('*.site.example'),
    )
  })
})
