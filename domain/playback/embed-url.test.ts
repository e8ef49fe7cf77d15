import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeAccountId,
  deepLink,
  embedUrl,
  encodeAccountId,
  iframeHtml,
  isVideoId,
  readDeepLink,
} from './embed-url.ts'

const id = '0123456789abcdef0123'

describe('the embed address', () => {
  it('carries the account id written as text and base64-encoded', () => {
    expect(embedUrl('https://play.example', id, 42)).toBe(`https://play.example/${id}/NDI%3D`)
    expect(encodeAccountId(42)).toBe('NDI=')
  })

  it('decodes to every encoded account id', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (n) => {
        expect(decodeAccountId(encodeAccountId(n))).toBe(n)
      }),
    )
  })

  it('accepts an account id without its padding', () => {
    expect(decodeAccountId('NDI')).toBe(42)
  })

  it.each([
    '',
    '!',
    'NDI==x',
    'LTE=',
    'MA==',
    'MDE=',
    'YWJj',
    '%4e',
    'MS41',
    'IDE=',
    'NDI=/x',
    'NDJ=',
    'NDI==',
    'MTIzNDU2Nzg5MDEyMzQ1Ng==',
  ])('refuses %j as an account id', (text) => {
    expect(decodeAccountId(text)).toBeNull()
  })

  it('URL-encodes the viewer token', () => {
    expect(embedUrl('https://play.example', id, 1, 'a.b+c')).toMatch(/\?vt=a\.b%2Bc$/)
  })

  it('makes a deep link of video id, account id and token', () => {
    expect(deepLink(id, 42, 'p.s')).toBe(`service://play/${id}/NDI=/p.s`)
  })

  it('has an iframe with every attribute that protected playback needs, and no sandbox', () => {
    const html = iframeHtml('https://play.example/x?vt=1&b="2"', 'A lesson')
    for (const part of [
      'autoplay; fullscreen; encrypted-media; picture-in-picture',
      'allowfullscreen',
      'referrerpolicy="strict-origin-when-cross-origin"',
      'vt=1&amp;b=&quot;2&quot;',
      'title="A lesson"',
    ])
      expect(html).toContain(part)
    expect(html).not.toContain('sandbox')
  })

  it('names the iframe by the escaped title of the video', () => {
    expect(iframeHtml('https://play.example/x', `"><b onload='x'>&amp;`)).toContain(
      ' title="&quot;&gt;&lt;b onload=&#39;x&#39;&gt;&amp;amp;" ',
    )
    expect(iframeHtml('https://play.example/x', ' \n')).toContain(' title="Video" ')
  })

  it.each([
    [id, true],
    [id.toUpperCase(), false],
    [id.slice(1), false],
    [`${id}0`, false],
    ['', false],
  ])('takes %j as a video id: %s', (text, valid) => {
    expect(isVideoId(text)).toBe(valid)
  })
})

describe('the deep link', () => {
  const read = { videoId: id, accountId: 42, vt: 'p-_.s' }

  it('is read as it was made', () => {
    expect(readDeepLink(deepLink(id, 42, 'p-_.s'))).toEqual(read)
    expect(readDeepLink(deepLink(id, 42, ''))).toEqual({ ...read, vt: null })
  })

  it.each([`service://play/${id}/NDI%3D/p-_.s`, `SERVICE://play/${id}/NDI/p-_.s`])(
    'is read after a change on its way: %s',
    (text) => expect(readDeepLink(text)).toEqual(read),
  )

  it.each([
    '',
    `service://play/${id}/NDI=`,
    `service://play/${id}/NDI=/p.s/`,
    `service://play/${id}/NDI=/p.s?x=1`,
    `service://play/${id}/NDI=/p s`,
    `service://play/${id}/NDI=/p.s\n`,
    `service://play/${id}/%4e/p.s`,
    `service://play/${id}/LTE=/p.s`,
    `service://play/${id.toUpperCase()}/NDI=/p.s`,
    `service://play/${id}0/NDI=/p.s`,
    `service://play//NDI=/p.s`,
    `service://stop/${id}/NDI=/p.s`,
    `https://play.example/${id}/NDI=/p.s`,
    ` service://play/${id}/NDI=/p.s`,
  ])('is not %j', (text) => expect(readDeepLink(text)).toBeNull())
})
