import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SESSION_GRACE_MS, SESSION_TTL_MS, signSession, verifySession } from './session-token.ts'

const newKey = () => randomBytes(32)
const keys = [newKey()] as const
const nowMs = 1_800_000_000_000
const session = {
  sessionId: '6f1c2d3e-0000-4000-8000-000000000000',
  videoId: 'a1b2c3d4e5f6a7b8c9d0',
  accountId: 7,
  viewerId: 'vïewer "7"',
  secretVersion: 3,
  refererHost: 'site.example',
  startedAtMs: nowMs - 1000,
}
const token = signSession(session, keys, nowMs)

describe('a session token', () => {
  it('contains all fields of the session', () => {
    expect(verifySession(token, keys, nowMs)).toEqual(session)
    const anonymous = { ...session, viewerId: null }
    expect(verifySession(signSession(anonymous, keys, nowMs), keys, nowMs)).toEqual(anonymous)
    const member = { ...session, isMember: true }
    expect(verifySession(signSession(member, keys, nowMs), keys, nowMs)).toEqual(member)
  })

  it('is valid for exactly five minutes', () => {
    expect(SESSION_TTL_MS).toBe(300_000)
    expect(verifySession(token, keys, nowMs + 299_999)).toEqual(session)
    expect(verifySession(token, keys, nowMs + 300_000)).toBeNull()
  })

  it('is accepted for one more minute with the grace period', () => {
    expect(SESSION_GRACE_MS).toBe(60_000)
    const at = (ms: number) => verifySession(token, keys, nowMs + ms, SESSION_GRACE_MS)
    expect(at(359_999)).toEqual(session)
    expect(at(360_000)).toBeNull()
  })

  it('can contain the longest viewer id and host', () => {
    const longest = { ...session, viewerId: '"'.repeat(64), refererHost: 'h'.repeat(253) }
    expect(verifySession(signSession(longest, keys, nowMs), keys, nowMs)).toEqual(longest)
  })

  it('is refused under another key, or with a changed character', () => {
    expect(verifySession(token, [newKey(), newKey()], nowMs)).toBeNull()
    for (let index = 0; index < token.length; index += 7) {
      const other = token[index] === 'A' ? 'B' : 'A'
      const changed = token.slice(0, index) + other + token.slice(index + 1)
      expect(verifySession(changed, keys, nowMs)).toBeNull()
    }
  })

  it('is signed with the first key, and valid under each', () => {
    const [current] = keys
    const next = newKey()
    expect(verifySession(token, [next, current], nowMs)).toEqual(session)
    const later = signSession(session, [next, current], nowMs)
    expect(verifySession(later, [current, next], nowMs)).toEqual(session)
    expect(verifySession(later, [next], nowMs)).toEqual(session)
    expect(verifySession(later, [current], nowMs)).toBeNull()
    expect(later).toHaveLength(token.length)
  })

  it.each(['', '.', 'a', 'a.b', `${token}.`, `${token}.x`, 'x'.repeat(5000)])(
    'is not valid as %.20p',
    (text) => expect(verifySession(text, keys, nowMs)).toBeNull(),
  )
})
