import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isViewerId } from '../../domain/playback/viewer-id.ts'
import { readViewerToken, signViewerToken, verifyViewerToken } from './viewer-token.ts'

const secret = randomBytes(32).toString('hex')
const now = Date.UTC(2026, 0, 1)
const exp = now / 1000 + 60

const verify = (vt: string, key: string, nowMs: number) =>
  verifyViewerToken(readViewerToken(vt), key, nowMs)

const claimedViewerId = (vt: string) => readViewerToken(vt).claims?.viewerId ?? null

const signJson = (json: string, key = secret): string => {
  const payload = Buffer.from(json).toString('base64url')
  return `${payload}.${createHmac('sha256', key).update(payload).digest('base64url')}`
}

describe('viewer tokens', () => {
  it('are compact JSON with vid before exp, signed with the secret as text', () => {
    const vt = signViewerToken({ viewerId: 'user-7', expiresAtSeconds: exp }, secret)
    expect(vt).toBe(signJson(`{"vid":"user-7","exp":${exp}}`))
  })

  it('contain the viewer id while they are valid', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 16, unit: 'grapheme' }), (viewerId) => {
        fc.pre(isViewerId(viewerId))
        const vt = signViewerToken({ viewerId, expiresAtSeconds: exp }, secret)
        const claims = { viewerId, expiresAtSeconds: exp }
        expect(verify(vt, secret, now)).toEqual({ ok: true, claims })
      }),
    )
  })

  it.each([
    `{ "exp": ${exp}, "vid": "v" }`,
    `{"vid":"\\u0076","exp":${exp}}`,
    `{"vid":"v","exp":${exp},"more":1}`,
  ])('accept any valid JSON spelling: %s', (json) => {
    expect(verify(signJson(json), secret, now)).toMatchObject({ ok: true })
  })

  it.each([
    `{"vid":"v","exp":"${exp}"}`,
    `{"vid":"v","exp":${exp}.5}`,
    `{"vid":"v","exp":1e40}`,
    `{"vid":"v","exp":-1}`,
    `{"vid":"","exp":${exp}}`,
    `{"vid":7,"exp":${exp}}`,
    `{"vid":"${'x'.repeat(65)}","exp":${exp}}`,
    `{"vid":"a\\nb","exp":${exp}}`,
    `{"vid":"v"}`,
    `[]`,
    `null`,
    `"x"`,
    `{`,
    ``,
  ])('refuse a signed payload of %s', (json) => {
    expect(verify(signJson(json), secret, now)).toMatchObject({ reason: 'malformed' })
  })

  it('expire at exp, in seconds', () => {
    const vt = signViewerToken({ viewerId: 'v', expiresAtSeconds: exp }, secret)
    expect(verify(vt, secret, exp * 1000 - 1)).toMatchObject({ ok: true })
    expect(verify(vt, secret, exp * 1000)).toEqual({ ok: false, reason: 'expired' })
  })

  it('are refused if exp can only be in milliseconds, and accepted if it can be in seconds', () => {
    const withExp = (seconds: number) =>
      verify(signViewerToken({ viewerId: 'v', expiresAtSeconds: seconds }, secret), secret, now)
    const refused = { ok: false, reason: 'exp_in_milliseconds' }
    expect(withExp(exp * 1000)).toEqual(refused)
    expect(withExp(100_000_000_000)).toEqual(refused)
    expect(withExp(99_999_999_999)).toMatchObject({ ok: true })
    const yearSeconds = 366 * 86_400
    expect(withExp(exp + 10 * yearSeconds)).toMatchObject({ ok: true })
  })

  it('keep an unreadable viewer id unchanged', () => {
    for (const viewerId of ['ann\u202eeel', '\u200b', ' ']) {
      const vt = signViewerToken({ viewerId, expiresAtSeconds: exp }, secret)
      expect(verify(vt, secret, now)).toMatchObject({ ok: true, claims: { viewerId } })
    }
  })

  it('are refused with another secret, or the secret decoded from hex', () => {
    const json = `{"vid":"v","exp":${exp}}`
    const payload = Buffer.from(json).toString('base64url')
    const sig = createHmac('sha256', Buffer.from(secret, 'hex')).update(payload).digest('base64url')
    expect(verify(`${payload}.${sig}`, secret, now)).toMatchObject({ reason: 'forged' })
    const foreign = signJson(json, randomBytes(32).toString('hex'))
    expect(verify(foreign, secret, now)).toMatchObject({ reason: 'forged' })
  })

  it('are refused after any change of one character', () => {
    const vt = signViewerToken({ viewerId: 'viewer', expiresAtSeconds: exp }, secret)
    const alphabet = 'ABCDEFabcdef0189-_.=+/ \u00e9'
    fc.assert(
      fc.property(
        fc.nat(vt.length - 1),
        fc.constantFrom(...Array.from(alphabet)),
        fc.constantFrom('replace', 'insert', 'delete'),
        (index, char, how) => {
          const tail = how === 'insert' ? vt.slice(index) : vt.slice(index + 1)
          const changed = vt.slice(0, index) + (how === 'delete' ? '' : char) + tail
          fc.pre(changed !== vt)
          expect(verify(changed, secret, now).ok).toBe(false)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it.each(['', '.', 'a', 'a.b.c', '..', `${'a'.repeat(3000)}.b`])('refuse %j', (vt) => {
    expect(verify(vt, secret, now).ok).toBe(false)
  })
})

describe('a claimed viewer id', () => {
  it('is the id in the payload, signed or not, or null if there is none', () => {
    const vt = signViewerToken({ viewerId: 'ann', expiresAtSeconds: exp }, secret)
    expect(claimedViewerId(vt)).toBe('ann')
    expect(claimedViewerId(`${vt.split('.')[0]}.forged`)).toBe('ann')
    for (const text of ['', '.', 'a.b', signJson('{"vid":"a\\u0000b","exp":1}'), 'x'.repeat(5000)])
      expect(claimedViewerId(text)).toBeNull()
  })
})
