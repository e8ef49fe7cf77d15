import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backdropOf, contrast, readableColors } from './readable-colors.ts'

const color = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)
const theme = fc.constantFrom('dark' as const, 'light' as const)

describe('the colours of the account', () => {
  it('are the account’s if they are readable', () => {
    const colors = readableColors({ text: '#ffffff', accent: '#4f8cff' }, 'dark')
    expect(colors).toMatchObject({ text: '#ffffff', accent: '#4f8cff', onAccent: '#000000' })
  })

  it('are readable on their surface, and over every picture, for every choice of the account', () => {
    fc.assert(
      fc.property(color, color, theme, (text, accent, on) => {
        const readable = readableColors({ text, accent }, on)
        for (const behind of [readable.surface, backdropOf(on)]) {
          expect(contrast(readable.text, behind)).toBeGreaterThanOrEqual(4.5)
          expect(contrast(readable.accent, behind)).toBeGreaterThanOrEqual(3)
        }
        expect(contrast(readable.onAccent, readable.accent)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  it('are well readable where they have to be changed', () => {
    const { text } = readableColors({ text: '#ffffff', accent: '#4f8cff' }, 'light')
    expect(contrast(text, backdropOf('light'))).toBeGreaterThanOrEqual(7)
  })

  it.each(['', 'red', '#12', 'url(x)', '#gggggg'])('that are invalid (%p) are replaced', (text) => {
    const { surface, ...colors } = readableColors({ text, accent: text }, 'light')
    expect(surface).toBe('#f7f8fa')
    expect(colors).toEqual({ text: '#000000', accent: '#000000', onAccent: '#ffffff' })
  })

  it('have the contrast ratios of WCAG', () => {
    expect(contrast('#000', '#fff')).toBeCloseTo(21, 5)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 2)
  })
})
