import { argon2Sync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { HASHES_MAX, HashesBusy, hashPassword, verifyPassword } from './password.ts'

describe('a password', () => {
  it('verifies against its hash, and no other password does', async () => {
    const stored = await hashPassword('correct horse battery')
    expect(await verifyPassword('correct horse battery', stored)).toBe(true)
    expect(await verifyPassword('correct horse batterY', stored)).toBe(false)
    expect(await verifyPassword('', stored)).toBe(false)
  })

  it('is stored as a PHC string of argon2id with a salt of its own', async () => {
    const [first, second] = await Promise.all([hashPassword('a'), hashPassword('a')])
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(first).not.toBe(second)
  })

  it('verifies in each Unicode form of its characters', async () => {
    const stored = await hashPassword('Zürich'.normalize('NFD'))
    expect(await verifyPassword('Zürich'.normalize('NFC'), stored)).toBe(true)
  })

  it('never verifies for a member who is unknown, has none or has an unreadable hash', async () => {
    expect(await verifyPassword('', null)).toBe(false)
    expect(await verifyPassword('a', '$argon2id$v=19$m=1$broken')).toBe(false)
  })

  it('waits its turn when several are hashed at the same time', async () => {
    const stored = await hashPassword('a')
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, index) => verifyPassword(index % 2 ? 'a' : 'b', stored)),
    )
    expect(results).toEqual([false, true, false, true, false, true])
  })

  it('is refused when too many are hashed at the same time, and not later', async () => {
    const stored = await hashPassword('a')
    const all = await Promise.allSettled(
      Array.from({ length: HASHES_MAX + 5 }, () => verifyPassword('a', stored)),
    )
    const refused = all.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(5)
    expect(refused).toEqual(
      refused.map(() => ({ status: 'rejected', reason: expect.any(HashesBusy) })),
    )
    expect(await verifyPassword('a', stored)).toBe(true)
  })

  it('verifies against a hash with the costs of an earlier version', async () => {
    const nonce = Buffer.alloc(16, 1)
    const costs = { memory: 64, passes: 1, parallelism: 1 }
    const tag = argon2Sync('argon2id', { ...costs, message: 'old', nonce, tagLength: 32 })
    const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
    const stored = `$argon2id$v=19$m=64,t=1,p=1$${base64(nonce)}$${base64(tag)}`
    expect(await verifyPassword('old', stored)).toBe(true)
    expect(await verifyPassword('new', stored)).toBe(false)
  })
})
