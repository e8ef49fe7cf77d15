import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SigningKeys } from '../hmac.ts'
import {
  APP_CHALLENGE_MS,
  attestedHash,
  createAppChallenge,
  readAppChallenge,
} from './app-challenge.ts'

const keys: SigningKeys = [randomBytes(32)]
const LINK = 'service://play/f1f1f1f1f1f1f1f1f1f1/MQ==/a.b'
const NOW = 1_800_000_000_000
const { text, expiresAtMs } = createAppChallenge(LINK, keys, NOW)

describe('a challenge', () => {
  it('is valid for its link, for two minutes', () => {
    expect(expiresAtMs).toBe(NOW + 120_000)
    expect(readAppChallenge(text, LINK, keys, NOW + APP_CHALLENGE_MS - 1)).toEqual({
      id: text.slice(0, 36),
      expiresAtMs,
    })
    expect(readAppChallenge(text, LINK, keys, NOW + APP_CHALLENGE_MS)).toBeNull()
  })

  it('is another one each time', () =>
    expect(createAppChallenge(LINK, keys, NOW).text).not.toBe(text))

  it('is not valid for another link, under another key, or after any change', () => {
    expect(readAppChallenge(text, `${LINK}c`, keys, NOW)).toBeNull()
    expect(readAppChallenge(text, LINK, [randomBytes(32)], NOW)).toBeNull()
    for (const at of text.split('').keys()) {
      const changed = `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`
      expect(readAppChallenge(changed, LINK, keys, NOW)).toBeNull()
    }
    for (const other of ['', '..', `${text}.`, `${text}.x`])
      expect(readAppChallenge(other, LINK, keys, NOW)).toBeNull()
  })

  it('is attested together with its link', () => {
    expect(attestedHash(text, LINK)).toHaveLength(32)
    expect(attestedHash(text, LINK)).not.toEqual(attestedHash(text, `${LINK}c`))
  })
})
