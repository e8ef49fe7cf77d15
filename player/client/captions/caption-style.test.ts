import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CAPTION_CHOICES,
  declarationsOf,
  parseCaptionStyle,
  type CaptionStyle,
} from './caption-style.ts'

const styles: fc.Arbitrary<CaptionStyle> = fc.record({
  size: fc.constantFrom(...CAPTION_CHOICES.size),
  color: fc.constantFrom(...CAPTION_CHOICES.color),
  background: fc.constantFrom(...CAPTION_CHOICES.background),
  edge: fc.constantFrom(...CAPTION_CHOICES.edge),
  font: fc.constantFrom(...CAPTION_CHOICES.font),
  position: fc.constantFrom(...CAPTION_CHOICES.position),
})
const DEFAULTS = parseCaptionStyle(null)

describe('the style of captions', () => {
  it('is the same after it was kept', () =>
    fc.assert(
      fc.property(styles, (style) => {
        expect(parseCaptionStyle(JSON.stringify(style))).toEqual(style)
      }),
    ))

  it('is the default for every kept text that is no style', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(parseCaptionStyle(text)).toEqual(DEFAULTS)
      }),
    ))

  it('keeps the valid parts of a damaged one, and takes no CSS from it', () => {
    const kept = parseCaptionStyle('{"color":"yellow","font":"x; background: url(//a.example)"}')
    expect(kept).toEqual({ ...DEFAULTS, color: 'yellow' })
    expect(declarationsOf(kept)).not.toContain('url')
  })

  it('sets no size unless the viewer has chosen one', () => {
    expect(declarationsOf(DEFAULTS)).not.toContain('font-size')
    expect(declarationsOf({ ...DEFAULTS, size: 'huge' })).toContain('font-size: 1.9em')
  })

  it('has an edge that can be seen around a dark text', () => {
    const edge = (color: CaptionStyle['color']) =>
      declarationsOf({ ...DEFAULTS, color, edge: 'outline' })
    expect(edge('black')).toContain('0.02em #fff')
    expect(edge('white')).toContain('0.02em #000')
  })
})
