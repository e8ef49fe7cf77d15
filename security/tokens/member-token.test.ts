import { randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { parseMasterKeys, seal } from '../sealing/sealing.ts'
import { signingSecretContext } from '../sealing/secret-contexts.ts'
import { signMemberToken, verifyMemberToken } from './member-token.ts'
import { readViewerToken, signViewerToken, verifyViewerToken } from './viewer-token.ts'

const key = randomBytes(32).toString('hex')
const masterKeys = parseMasterKeys(key)
const signingSecret = randomBytes(32).toString('hex')
const accountWith = (secret: string, id = 7) => ({
  id,
  sealedSigningSecret: seal(masterKeys, secret, signingSecretContext(id)),
})
const account = accountWith(signingSecret)
const { viewerId, expiresAtSeconds, vt } = signMemberToken(masterKeys, account, 3)
const sent = readViewerToken(vt)

describe('the token of a member', () => {
  it('names the member for a minute', () => {
    expect(viewerId).toBe('dashboard:3')
    expect(Math.abs(expiresAtSeconds - Date.now() / 1000 - 60)).toBeLessThan(5)
    expect(verifyMemberToken(masterKeys, account, sent)).toEqual({
      ok: true,
      claims: { viewerId, expiresAtSeconds },
    })
  })

  it('cannot be signed with the signing secret of the account, nor verified', () => {
    const signed = signViewerToken({ viewerId, expiresAtSeconds }, signingSecret)
    const forged = { ok: false, reason: 'forged' }
    expect(verifyMemberToken(masterKeys, account, readViewerToken(signed))).toEqual(forged)
    expect(verifyViewerToken(sent, signingSecret, Date.now())).toEqual(forged)
  })

  it('is valid for one account, until its signing secret is rotated', () => {
    for (const other of [accountWith(signingSecret, 8), accountWith('another')])
      expect(verifyMemberToken(masterKeys, other, sent).ok).toBe(false)
  })

  it('stays valid while the master key is rotated', () => {
    const next = randomBytes(32).toString('hex')
    const both = parseMasterKeys(`2:${next},1:${key}`)
    expect(verifyMemberToken(both, account, sent).ok).toBe(true)
  })

  it('is refused when it has expired', () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(expiresAtSeconds * 1000)
    expect(verifyMemberToken(masterKeys, account, sent)).toEqual({ ok: false, reason: 'expired' })
    now.mockRestore()
  })
})
