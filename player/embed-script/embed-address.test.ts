import { describe, expect, it } from 'vitest'
import { embedAddress } from './embed-address.ts'

const SRC = 'https://play.example/0123456789abcdef0123/MQ==?vt=a.b'
const base = 'https://site.example/page'

const address = (src: string | null, attributes: Record<string, string> = {}) =>
  embedAddress(src, { base, attribute: (name) => attributes[name] ?? null })?.href ?? null

describe('the address of the iframe', () => {
  it('is the unchanged src without other attributes', () => {
    expect(address(SRC)).toBe(SRC)
  })

  it('has the attributes as query parameters, after the viewer token', () => {
    const attributes = {
      autoplay: '',
      muted: 'muted',
      loop: '',
      skip: '',
      start: '12',
      lang: 'pt-BR',
    }
    expect(address(SRC, { ...attributes, captions: 'de', title: 'A lesson' })).toBe(
      `${SRC}&autoplay=1&muted=1&loop=1&skip=1&start=12&lang=pt-BR&captions=de`,
    )
  })

  it('omits an empty value', () => {
    expect(address(SRC, { lang: '', captions: '' })).toBe(SRC)
  })

  it.each([null, '', 'javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', 'blob:x'])(
    'is null for %p',
    (src) => {
      expect(address(src)).toBeNull()
    },
  )
})
