import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { embedUrl, encodeAccountId } from '../../../domain/playback/embed-url.ts'
import { embedUrlOf, readPlayerLink } from './player-link.ts'

const BASES = { embedBase: 'https://play.example', directPlayBase: 'https://watch.example' }
const VIDEO = '0123456789abcdef0123'
const PATH = `/${VIDEO}/${encodeAccountId(7)}`

const src = (link: string, bases = BASES): string | null => {
  const read = readPlayerLink(link, bases)
  return read && embedUrlOf(read, bases.embedBase)
}

const videoIds = fc.stringMatching(/^[0-9a-f]{20}$/)
const accountIds = fc.integer({ min: 1, max: 2 ** 31 - 1 })
/** What the rebuilt address may consist of. */
const SAFE = /^https:\/\/play\.example\/[0-9a-f]{20}\/[A-Za-z0-9]+(%3D){0,2}(\?[\w=&.+-]*)?$/

describe('a link', () => {
  it('of an embed page or a Direct Play page leads to the embed page of its video', () => {
    fc.assert(
      fc.property(videoIds, accountIds, (videoId, accountId) => {
        for (const base of Object.values(BASES)) {
          const link = embedUrl(base, videoId, accountId)
          const isDirectPlay = base === BASES.directPlayBase
          expect(readPlayerLink(link, BASES)).toMatchObject({ videoId, accountId, isDirectPlay })
          expect(src(link)).toBe(embedUrl(BASES.embedBase, videoId, accountId))
        }
      }),
    )
  })

  it('has its account id encoded or not, with padding or without', () => {
    for (const account of ['MTA=', 'MTA%3D', 'MTA%3d', 'MTA'])
      expect(src(`https://play.example/${VIDEO}/${account}`)).toBe(
        `https://play.example/${VIDEO}/MTA%3D`,
      )
  })

  it('keeps valid options but no token, no ticket and no automatic start', () => {
    const query =
      'vt=a.b&from=c&preview=d&autoplay=1&muted=1&loop&start=90.5&lang=pt-BR&captions=de'
    expect(src(`${BASES.directPlayBase}${PATH}?${query}#t=1`)).toBe(
      `https://play.example${PATH.replaceAll('=', '%3D')}?muted=1&loop=1&start=90.5&lang=pt-BR&captions=de`,
    )
    const invalid = 'muted=2&loop=x&start=-1&lang=%22%3E&captions=%3Cscript%3E'
    expect(src(`${BASES.embedBase}${PATH}?${invalid}`)).toBe(
      `https://play.example${PATH.replaceAll('=', '%3D')}`,
    )
  })

  it.each([
    '',
    PATH,
    `https://play.example.evil.example${PATH}`,
    `https://evil.example/https://play.example${PATH}`,
    `https://play.example@evil.example${PATH}`,
    `https://user:pass@play.example${PATH}`,
    `https://play.example:8443${PATH}`,
    `http://play.example${PATH}`,
    `//play.example${PATH}`,
    'javascript:alert(1)',
    `blob:https://play.example${PATH}`,
    `https://play.example${PATH}/`,
    `https://play.example//${VIDEO}/${encodeAccountId(7)}`,
    `https://play.example/x/..%2f${VIDEO}/${encodeAccountId(7)}`,
    `https://play.example/media/${VIDEO}/manifest.mpd`,
    `https://play.example/${VIDEO.toUpperCase()}/${encodeAccountId(7)}`,
    `https://play.example/${VIDEO}/${encodeAccountId(2 ** 40)}`,
    `https://play.example/${VIDEO}/${btoa('-7')}`,
  ])('is refused: %s', (link) => {
    expect(readPlayerLink(link, BASES)).toBeNull()
  })

  it('of a Direct Play page is refused if there are none', () => {
    const link = `${BASES.directPlayBase}${PATH}`
    expect(readPlayerLink(link, { ...BASES, directPlayBase: null })).toBeNull()
  })

  it('may be below the path of its host, and nowhere else', () => {
    const bases = { ...BASES, embedBase: 'https://site.example/play' }
    expect(readPlayerLink(`https://site.example/play${PATH}`, bases)).not.toBeNull()
    for (const path of [PATH, `/playx${PATH}`, `/play/../x${PATH}`])
      expect(readPlayerLink(`https://site.example${path}`, bases)).toBeNull()
  })

  it('never brings anything but ids and options into the address of the player', () => {
    const texts = fc.string({ unit: 'grapheme' })
    const queries = fc.dictionary(
      fc.constantFrom('vt', 'start', 'lang', 'captions', 'muted', '"', '<x>'),
      texts,
    )
    fc.assert(
      fc.property(texts, queries, texts, (end, query, hash) => {
        const params = new URLSearchParams(query).toString()
        for (const link of [end, `${BASES.embedBase}${end}`, `${BASES.embedBase}${PATH}${end}`])
          expect(src(link) ?? BASES.embedBase + PATH.replaceAll('=', '%3D')).toMatch(SAFE)
        const built = src(`${BASES.embedBase}${PATH}?${params}#${hash}`)
        expect(built).toMatch(SAFE)
        expect(new URL(built ?? '').searchParams.has('vt')).toBe(false)
      }),
    )
  })
})
