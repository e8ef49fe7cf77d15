import { describe, expect, it } from 'vitest'
import { openMemory } from './memory.ts'

describe('the memory of the player', () => {
  it('uses the storage of the browser', () => {
    const items = new Map<string, string>()
    const storage = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    } as unknown as Storage
    openMemory(() => storage).write('volume', '0.5')
    expect(items).toEqual(new Map([['reelgate:volume', '0.5']]))
    expect(openMemory(() => storage).read('volume')).toBe('0.5')
    openMemory(() => storage).write('volume', null)
    expect(openMemory(() => storage).read('volume')).toBeNull()
  })

  it('lasts until the page closes if the browser denies its storage', () => {
    const memory = openMemory(() => {
      throw new DOMException('refused', 'SecurityError')
    })
    memory.write('volume', '0.5')
    expect(memory.read('volume')).toBe('0.5')
    memory.write('volume', null)
    expect(memory.read('volume')).toBeNull()
  })
})
