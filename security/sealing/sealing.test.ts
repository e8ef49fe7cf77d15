import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  deriveKeys,
  fingerprintOf,
  openTicket,
  parseMasterKeys,
  seal,
  SealingError,
  sealTicket,
  unseal,
} from './sealing.ts'
import { contentKeyContext, signingSecretContext } from './secret-contexts.ts'

const hex = () => randomBytes(32).toString('hex')
const masterKeys = parseMasterKeys(hex())
const CONTEXT = signingSecretContext(7)

describe('sealing', () => {
  it('restores every secret', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (bytes, videoId) => {
        const context = contentKeyContext(videoId, 'SD')
        const sealed = seal(masterKeys, Buffer.from(bytes), context)
        expect(unseal(masterKeys, sealed, context)).toEqual(Buffer.from(bytes))
      }),
    )
  })

  it('never returns the same text twice', () => {
    expect(seal(masterKeys, 'secret', CONTEXT)).not.toBe(seal(masterKeys, 'secret', CONTEXT))
  })

  it('cannot be opened in another context', () => {
    const sealed = seal(masterKeys, 'secret', CONTEXT)
    expect(() => unseal(masterKeys, sealed, signingSecretContext(8))).toThrow(SealingError)
  })

  it('cannot be opened after a change, and the error does not contain the value', () => {
    const sealed = seal(masterKeys, 'secret', CONTEXT)
    for (let index = sealed.indexOf('.') + 1; index < sealed.length; index += 1) {
      if (sealed[index] === '.') continue
      const other = sealed[index] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, index) + other + sealed.slice(index + 1)
      expect(() => unseal(masterKeys, changed, CONTEXT)).toThrow('altered')
    }
    expect(() => unseal(masterKeys, 'nonsense', CONTEXT)).toThrow('unknown form')
  })

  it('opens old values after a rotation of the master key', () => {
    const old = hex()
    const sealed = seal(parseMasterKeys(old), 'secret', CONTEXT)
    const rotated = parseMasterKeys(`2:${hex()},1:${old}`)
    expect(unseal(rotated, sealed, CONTEXT).toString()).toBe('secret')
    expect(seal(rotated, 'secret', CONTEXT)).toMatch(/^v2\./)
    expect(() => unseal(parseMasterKeys(`2:${hex()}`), sealed, CONTEXT)).toThrow('version 1')
  })

  it('opens a ticket only in its context, and under every known key', () => {
    const old = hex()
    const ticket = sealTicket(parseMasterKeys(old), 'text', 'ticket')
    const rotated = parseMasterKeys(`2:${hex()},1:${old}`)
    expect(openTicket(rotated, ticket, 'ticket')).toBe('text')
    expect(openTicket(rotated, ticket, 'other')).toBeNull()
    expect(openTicket(parseMasterKeys(hex()), ticket, 'ticket')).toBeNull()
  })

  it.each(['', 'abc', `${hex()},${hex()}`, `0:${hex()}`, hex().slice(1)])(
    'refuses %j as MASTER_KEY',
    (text) => {
      expect(() => parseMasterKeys(text)).toThrow(SealingError)
    },
  )

  it('derives a different key for each kind of text, and always the same one', () => {
    const keys = deriveKeys(masterKeys, 'playback-session')
    expect(deriveKeys(masterKeys, 'playback-session')).toEqual(keys)
    expect(deriveKeys(masterKeys, 'framing-site')).not.toEqual(keys)
  })

  it('derives a key from each version, that of the current version first', () => {
    const [first, second, third] = [hex(), hex(), hex()]
    const keysOf = (text: string) => deriveKeys(parseMasterKeys(text), 'playback-session')
    const [one] = keysOf(first)
    const all = [...keysOf(`2:${second}`), one, ...keysOf(`3:${third}`)]
    expect(keysOf(`2:${second},1:${first},3:${third}`)).toEqual(all)
    // The one key of the version before, which has signed the sessions that still play.
    const [, ...known] = keysOf(`2:${second},${first}`)
    expect(known).toEqual([one])
  })
})

describe('the fingerprint of a master key', () => {
  it('is equal only for equal keys, and is no part of the key', () => {
    const keys = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(keys, keys, (one, other) => {
        const [a, b] = [one, other].map((key) => Buffer.from(key).toString('hex'))
        const of = (text = '') => fingerprintOf(parseMasterKeys(text), 1)
        expect(of(a) === of(b)).toBe(a === b)
        expect(of(a)).toBe(of(a))
        expect(a).not.toContain(of(a))
      }),
    )
  })
})
