import { describe, expect, it } from 'vitest'
import { END_LINK_TEXT_MAX, END_LINK_URL_MAX, isEndLink, isEndLinkText } from './end-screen.ts'

describe('the link at the end of a video', () => {
  it.each(['https://a.example/next?x=1#y', 'http://localhost:3000/', 'https://ü.example'])(
    'may be %s',
    (address) => expect(isEndLink(address)).toBe(true),
  )

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://a.example/x',
    '//a.example',
    '/next',
    'a.example',
    'https://ann:secret@a.example/',
    'https://',
    '',
    `https://a.example/${'x'.repeat(END_LINK_URL_MAX)}`,
  ])('may not be %s', (address) => expect(isEndLink(address)).toBe(false))

  it('has a text of one line', () => {
    expect(isEndLinkText('Next lesson →')).toBe(true)
    expect(isEndLinkText('x'.repeat(END_LINK_TEXT_MAX))).toBe(true)
    for (const text of ['', '  ', 'a\nb', 'a\u0000b', 'x'.repeat(END_LINK_TEXT_MAX + 1)])
      expect(isEndLinkText(text)).toBe(false)
  })
})
