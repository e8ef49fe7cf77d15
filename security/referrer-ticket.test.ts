import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signReferrer, verifyReferrer } from './referrer-ticket.ts'

const keys = [randomBytes(32)] as const
const site = 'https://site.example/'

describe('the ticket of a waiting page', () => {
  const ticket = signReferrer(site, 'v1', keys, 0)

  it('contains the site that framed the page, and is fresh for ten minutes', () => {
    const fresh = { referrer: site, isFresh: true }
    expect(verifyReferrer(ticket, 'v1', keys, 599_999)).toEqual(fresh)
    expect(verifyReferrer(ticket, 'v1', keys, 600_000)).toEqual({ ...fresh, isFresh: false })
  })

  it('is signed with the first key, and valid under each', () => {
    const next = randomBytes(32)
    expect(verifyReferrer(ticket, 'v1', [next, ...keys], 0)).toMatchObject({ referrer: site })
    const later = signReferrer(site, 'v1', [next, ...keys], 0)
    expect(verifyReferrer(later, 'v1', [next], 0)).toMatchObject({ referrer: site })
    expect(verifyReferrer(later, 'v1', keys, 0)).toBeNull()
  })

  it('is valid only unchanged, for its video and under its key', () => {
    expect(verifyReferrer(ticket, 'v2', keys, 0)).toBeNull()
    expect(verifyReferrer(ticket, 'v1', [randomBytes(32)], 0)).toBeNull()
    expect(verifyReferrer(`A${ticket}`, 'v1', keys, 0)).toBeNull()
    for (const text of ['', '.', 'x.y']) expect(verifyReferrer(text, 'v1', keys, 0)).toBeNull()
  })
})
