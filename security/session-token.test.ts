import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { signSessionToken, verifySessionToken } from './session-token.ts'

const key = randomBytes(32)
const nowMs = 1_800_000_000_000
const claims = {
  sessionId: '6f1c2d3e-0000-4000-8000-000000000000',
  videoId: 'a1b2c3d4e5f6a7b8c9d0',
  accountId: 7,
  viewerId: 'vïewer "7"',
  secretVersion: 3,
  siteHost: 'site.example',
  startedAtSeconds: nowMs / 1000,
  expiresAtSeconds: nowMs / 1000 + 300,
}
const token = signSessionToken(claims, key)

describe('a session token', () => {
  it('gives back all that it is bound to', () => {
    expect(verifySessionToken(token, key, nowMs)).toEqual({ ok: true, claims })
    const anonymous = { ...claims, viewerId: null, siteHost: null }
    expect(verifySessionToken(signSessionToken(anonymous, key), key, nowMs)).toEqual({
      ok: true,
      claims: anonymous,
    })
  })

  it('is good until the second it expires', () => {
    expect(verifySessionToken(token, key, nowMs + 299_999).ok).toBe(true)
    expect(verifySessionToken(token, key, nowMs + 300_000)).toEqual({
      ok: false,
      reason: 'expired',
    })
  })

  it('is forged under another key, and with any character changed', () => {
    const forged = { ok: false, reason: 'forged' }
    expect(verifySessionToken(token, randomBytes(32), nowMs)).toEqual(forged)
    for (let at = 0; at < token.length; at += 7) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const changed = token.slice(0, at) + other + token.slice(at + 1)
      expect(verifySessionToken(changed, key, nowMs)).toEqual(forged)
    }
    for (const text of ['', '.', 'a', 'a.b', `${token}.`, 'x'.repeat(5000)])
      expect(verifySessionToken(text, key, nowMs)).toEqual(forged)
  })

  it('does not hold the viewer id in a form that another account could use', () => {
    const foreign = signSessionToken({ ...claims, accountId: 8 }, key)
    expect(foreign).not.toBe(token)
  })
})
