import { describe, expect, it } from 'vitest'
import { parentOrigin } from './parent-origin.ts'

const SITE = 'https://site.example'

describe('the origin of the embedding page', () => {
  it('is the origin of the innermost ancestor', () => {
    const ancestorOrigins = [SITE, 'https://outer.example']
    expect(parentOrigin({ isFramed: true, ancestorOrigins, referrer: '' })).toBe(SITE)
  })

  it("is the referrer's in browsers without ancestor origins", () => {
    const referrer = `${SITE}:8443/a/page?q=1`
    const framing = { isFramed: true, ancestorOrigins: null, referrer }
    expect(parentOrigin(framing)).toBe(`${SITE}:8443`)
  })

  it.each([
    ['no page frames it', { isFramed: false, ancestorOrigins: [], referrer: SITE }],
    ['there is no referrer', { isFramed: true, ancestorOrigins: null, referrer: '' }],
    ['the page is sandboxed', { isFramed: true, ancestorOrigins: ['null'], referrer: SITE }],
    ['the page is a file', { isFramed: true, ancestorOrigins: ['file://'], referrer: '' }],
    ['the referrer is no address', { isFramed: true, ancestorOrigins: null, referrer: 'https://' }],
  ])('is unknown if %s', (_when, framing) => {
    expect(parentOrigin(framing)).toBeNull()
  })
})
