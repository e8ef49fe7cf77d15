import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseMasterKeys, seal } from './sealing.ts'
import { openSigningSecret, signingSecretContext } from './secret-contexts.ts'

const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))
const sealed = (id: number, secret: string) => ({
  id,
  sealedSigningSecret: seal(masterKeys, secret, signingSecretContext(id)),
})

describe('a signing secret', () => {
  it('is the same on each call, and the new one after a rotation', () => {
    const account = sealed(7, 'first')
    expect(openSigningSecret(masterKeys, account)).toBe('first')
    expect(openSigningSecret(masterKeys, account)).toBe('first')
    expect(openSigningSecret(masterKeys, sealed(7, 'second'))).toBe('second')
  })

  it('cannot be opened for another account or under another master key, even if cached', () => {
    const account = sealed(7, 'secret')
    openSigningSecret(masterKeys, account)
    expect(() => openSigningSecret(masterKeys, { ...account, id: 8 })).toThrow('does not open')
    const others = parseMasterKeys(randomBytes(32).toString('hex'))
    expect(() => openSigningSecret(others, account)).toThrow('does not open')
  })

  it('is correct when more secrets were opened than the cache holds', () => {
    const accounts = Array.from({ length: 1100 }, (_, id) => sealed(id, `secret ${id}`))
    for (const account of [...accounts, ...accounts])
      expect(openSigningSecret(masterKeys, account)).toBe(`secret ${account.id}`)
  })
})
