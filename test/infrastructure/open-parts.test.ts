import { describe, expect, it } from 'vitest'
import { openParts } from './open-parts.ts'

describe('the parts of a fixture', () => {
  it('are closed in the opposite order', async () => {
    const closed: string[] = []
    const fixture = await openParts(async (parts) => {
      for (const name of ['server', 'browser']) parts.defer(() => void closed.push(name))
      return { port: 1 }
    })
    expect([fixture.port, closed]).toEqual([1, []])
    await fixture.close()
    expect(closed).toEqual(['browser', 'server'])
  })

  it('are closed if a later one does not open', async () => {
    const closed: string[] = []
    const opening = openParts(async (parts) => {
      parts.defer(() => void closed.push('browser'))
      throw new Error('no server')
    })
    await expect(opening).rejects.toThrow('no server')
    expect(closed).toEqual(['browser'])
  })
})
