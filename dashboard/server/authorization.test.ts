import { beforeAll, describe, expect, it } from 'vitest'
import { ROLES, scopesOf, type CallerScope, type Role } from '../../domain/accounts/roles.ts'
import { SCOPES } from '../../domain/accounts/scopes.ts'
import type { Operation } from '../../http/operation.ts'
import { createKeyFixture } from '../../test/fixtures/account.ts'
import { setUpDashboardFixture } from '../../test/fixtures/dashboard.ts'
import { MOUNTED_OPERATIONS } from './operations.ts'

const t = setUpDashboardFixture()
let key: string

beforeAll(async () => {
  key = await createKeyFixture(t.db, t.accountId, SCOPES)
})

/** The weakest role that may do what a scope allows. */
const WEAKEST: Record<CallerScope, Role> = {
  'videos:read': 'reader',
  'folders:read': 'reader',
  'webhooks:read': 'reader',
  'account:read': 'reader',
  'settings:read': 'reader',
  'usage:read': 'reader',
  'audience:read': 'reader',
  'viewers:read': 'reader',
  'members:read': 'reader',
  'videos:write': 'editor',
  'playback:sign': 'editor',
  'folders:write': 'editor',
  'webhooks:write': 'editor',
  'settings:write': 'editor',
  'viewers:write': 'editor',
  'keys:read': 'owner',
  'keys:write': 'owner',
  'secrets:write': 'owner',
  'members:write': 'owner',
  'audit:read': 'owner',
  'viewers:erase': 'owner',
}

/** Operations that change who may do what, or show a secret. */
/** A page that shows a secret calls these again and again, to learn whether it has been replaced. They return none. */
const WITHOUT_SECRET = ['checkWebhookSecret', 'getSigningSecretVersion']

const SENSITIVE: readonly CallerScope[] = ['keys:write', 'secrets:write', 'members:write']

/** The path of an operation with ids that no object has. */
const operationPath = ({ path }: Operation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    name === 'language' ? 'xx' : '0'.repeat(20),
  )

const methodOf = ({ method }: Operation): string => method.toUpperCase()

const bodyOf = ({ method }: Operation) =>
  method === 'post' || method === 'patch' ? { body: { unknown: true } } : {}

const OF_MEMBERS = MOUNTED_OPERATIONS.filter(({ isForOperators }) => !isForOperators)

describe.each(OF_MEMBERS.map((operation) => [operation.id, operation] as const))(
  '%s',
  (_id, operation) => {
    const call = (person: Role | 'stranger' | null, options: object = {}) =>
      t.call(person, methodOf(operation), operationPath(operation), {
        ...bodyOf(operation),
        ...options,
      })

    it('is closed without a session, to an API key and to the owner of another account', async () => {
      expect((await call(null)).code).toBe('not_signed_in')
      const headers = { Authorization: `Bearer ${key}` }
      expect((await call(null, { headers })).code).toBe('not_signed_in')
      expect((await call('stranger')).code).toBe('account_not_found')
    })

    it('has a scope that owners carry', () => {
      expect(scopesOf('owner')).toContain(operation.scope)
    })

    it.each(ROLES)('as its scope says, for a member with the role %s', async (role) => {
      const isAllowed = ROLES.indexOf(role) <= ROLES.indexOf(WEAKEST[operation.scope])
      const { status, code } = await call(role)
      if (isAllowed) expect([401, 403]).not.toContain(status)
      else expect([status, code]).toEqual([403, 'insufficient_role'])
    })

    it('requires fresh authentication if it is marked', async () => {
      const { code } = await call('owner', { isStale: true })
      expect(code === 'reauthentication_required').toBe(operation.isElevated === true)
    })

    it('is marked if it is about keys, secrets or members', () => {
      const isAbout = SENSITIVE.includes(operation.scope) || /Secret/.test(operation.id)
      if (isAbout && !WITHOUT_SECRET.includes(operation.id)) expect(operation.isElevated).toBe(true)
    })

    it('says what the audit log records, if it writes', () => {
      if (operation.method === 'get') expect(operation.audit).toBeUndefined()
      else expect(operation.audit).not.toBeUndefined()
    })
  },
)

it('no operation is declared twice', () => {
  const addresses = MOUNTED_OPERATIONS.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(addresses).size).toBe(addresses.length)
  expect(new Set(MOUNTED_OPERATIONS.map(({ id }) => id)).size).toBe(MOUNTED_OPERATIONS.length)
})
