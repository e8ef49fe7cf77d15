import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { titleFromUrl } from './video-title.ts'

describe('the title of a video created without one', () => {
  it.each([
    ['https://a.example/files/My%20Lesson.mp4?sig=1', 'My Lesson.mp4'],
    ['https://a.example/', 'Untitled'],
    ['https://a.example', 'Untitled'],
    ['https://a.example/dir/', 'dir'],
    ['https://a.example/%E0%A4%A.mp4', '%E0%A4%A.mp4'],
    ['https://a.example/a%00b%0a.mp4', 'ab.mp4'],
    ['https://a.example/%20', 'Untitled'],
  ])('of %s is %s', (url, title) => {
    expect(titleFromUrl(url)).toBe(title)
  })

  it('has at most 255 characters for every path', () => {
    fc.assert(
      fc.property(fc.webUrl({ size: 'large' }), (url) => {
        const title = titleFromUrl(url)
        expect(title.length).toBeGreaterThan(0)
        expect(title.length).toBeLessThanOrEqual(255)
      }),
    )
    expect(titleFromUrl(`https://a.example/${'x'.repeat(900)}`)).toHaveLength(255)
  })
})
