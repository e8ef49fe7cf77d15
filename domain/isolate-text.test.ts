import { describe, expect, it } from 'vitest'
import { isolateIn, withoutTurns } from './isolate-text.ts'

describe('a value within plain text', () => {
  it('cannot turn the text around it, also if it ends its own isolation', () => {
    expect(isolateIn('Delete {name}', 'a\u202Egnp')).toBe('\u2068agnp\u2069')
    expect(isolateIn('Delete {name}', '\u2069\u202Egnp')).toBe('\u2068gnp\u2069')
    expect(isolateIn('Delete {name}', 'شعار')).toBe('\u2068شعار\u2069')
    expect(isolateIn('حذف {name}', 'Opening night')).toBe('\u2068Opening night\u2069')
  })

  it('stays as it is where it turns nothing', () => {
    expect(isolateIn('Delete {name}', 'Opening night')).toBe('Opening night')
    expect(isolateIn('حذف {name}', '12:30')).toBe('12:30')
    expect(withoutTurns('a\u202Eb')).toBe('ab')
  })
})
