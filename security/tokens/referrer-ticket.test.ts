import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signReferrer, verifyReferrer } from './referrer-ticket.ts'

const keys = [randomBytes(32)] as const
const site = 'https://site.example/'

describe('the ticket for the page about missing hardware protection', () => {
  const ticket = signReferrer(site, 'v1', keys)

  it('contains the site that framed the player page', () => {
    expect(verifyReferrer(ticket, 'v1', keys)).toBe(site)
  })

  it('is signed with the first key, and valid under each', () => {
    const next = randomBytes(32)
    expect(verifyReferrer(ticket, 'v1', [next, ...keys])).toBe(site)
    const later = signReferrer(site, 'v1', [next, ...keys])
    expect(verifyReferrer(later, 'v1', [next])).toBe(site)
    expect(verifyReferrer(later, 'v1', keys)).toBeNull()
  })

  it('is valid only unchanged, for its video and under its key', () => {
    expect(verifyReferrer(ticket, 'v2', keys)).toBeNull()
    expect(verifyReferrer(ticket, 'v1', [randomBytes(32)])).toBeNull()
    for (const text of [`A${ticket}`, `${ticket}.`, '', '.', 'x.y'])
      expect(verifyReferrer(text, 'v1', keys)).toBeNull()
  })
})
