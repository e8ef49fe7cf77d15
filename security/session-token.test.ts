import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { SESSION_TTL_MS, signSession, verifySession } from './session-token.ts'

const key = randomBytes(32)
const nowMs = 1_800_000_000_000
const session = {
  sessionId: '6f1c2d3e-0000-4000-8000-000000000000',
  videoId: 'a1b2c3d4e5f6a7b8c9d0',
  accountId: 7,
  viewerId: 'vïewer "7"',
  secretVersion: 3,
}
const token = signSession(session, key, nowMs)

describe('a session token', () => {
  it('gives back all that it is bound to', () => {
    expect(verifySession(token, key, nowMs)).toEqual(session)
    const anonymous = { ...session, viewerId: null }
    expect(verifySession(signSession(anonymous, key, nowMs), key, nowMs)).toEqual(anonymous)
  })

  it('lives five minutes, and not a moment longer', () => {
    expect(SESSION_TTL_MS).toBe(300_000)
    expect(verifySession(token, key, nowMs + 299_999)).toEqual(session)
    expect(verifySession(token, key, nowMs + 300_000)).toBeNull()
  })

  it('does not verify under another key, nor with any character changed', () => {
    expect(verifySession(token, randomBytes(32), nowMs)).toBeNull()
    for (let at = 0; at < token.length; at += 7) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const changed = token.slice(0, at) + other + token.slice(at + 1)
      expect(verifySession(changed, key, nowMs)).toBeNull()
    }
  })

  it.each(['', '.', 'a', 'a.b', `${token}.`, `${token}.x`, 'x'.repeat(5000)])(
    'is not %.20p',
    (text) => expect(verifySession(text, key, nowMs)).toBeNull(),
  )
})
