import { describe, expect, it } from 'vitest'
import { isRole, MEMBER_SCOPES, ROLES, scopesOf, type Role } from './roles.ts'
import { isScope, SCOPES } from './scopes.ts'

describe('the roles of members', () => {
  it('give an owner every scope', () => {
    expect([...scopesOf('owner')].toSorted()).toEqual([...SCOPES, ...MEMBER_SCOPES].toSorted())
  })

  it('give a reader scopes that only read', () => {
    expect(scopesOf('reader').filter((scope) => !scope.endsWith(':read'))).toEqual([])
  })

  // The words of the team's page say so.
  it('let a reader see what an editor sees: all but keys and the audit log', () => {
    const seenBy = (role: Role) => scopesOf(role).filter((scope) => scope.endsWith(':read'))
    expect(seenBy('reader')).toEqual(seenBy('editor'))
    expect(seenBy('owner').filter((scope) => !seenBy('reader').includes(scope))).toEqual([
      'keys:read',
      'audit:read',
    ])
  })

  it('give each role what the next weaker role has', () => {
    for (const [index, role] of ROLES.slice(1).entries())
      expect(scopesOf(ROLES[index] ?? role)).toEqual(expect.arrayContaining([...scopesOf(role)]))
  })

  it('keep keys, secrets, members and the audit log to owners', () => {
    for (const scope of ['keys:write', 'secrets:write', 'members:write', 'audit:read'] as const) {
      expect(scopesOf('editor')).not.toContain(scope)
      expect(scopesOf('reader')).not.toContain(scope)
    }
  })

  it('use scopes that no API key can carry', () => {
    expect(MEMBER_SCOPES.filter((scope) => isScope(scope))).toEqual([])
  })

  it('are owner, editor and reader', () => {
    expect(['owner', 'editor', 'reader', 'admin', ''].map(isRole)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })
})
