import { describe, expect, it } from 'vitest'
import { apiKeyHint, createApiKey, hashApiKey, looksLikeApiKey } from './api-key.ts'

describe('API keys', () => {
  it('begin with rg_live_ and never repeat', () => {
    expect(createApiKey()).toMatch(/^rg_live_[\w-]{43}$/)
    expect(createApiKey()).not.toBe(createApiKey())
  })

  it('are stored as a hash that does not reveal the key', () => {
    const key = createApiKey()
    expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/)
    expect(hashApiKey(key)).toBe(hashApiKey(key))
    expect(apiKeyHint(key)).toHaveLength(12)
  })

  it.each(['', 'rg_live_', 'rg_test_x', `rg_live_${'x'.repeat(44)}`, `rg_live_${'é'.repeat(43)}`])(
    'do not look like %j',
    (text) => {
      expect(looksLikeApiKey(text)).toBe(false)
    },
  )
})
