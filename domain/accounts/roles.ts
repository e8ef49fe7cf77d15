import type { Scope } from './scopes.ts'

/** The roles of a member in an account, strongest first. */
export const ROLES = ['owner', 'editor', 'reader'] as const

export type Role = (typeof ROLES)[number]

/** Scopes that only a signed-in member carries. An API key never does, so a stolen key cannot make another. */
export const MEMBER_SCOPES = [
  'settings:write',
  'viewers:read',
  'viewers:write',
  'keys:read',
  'keys:write',
  'secrets:write',
  'members:read',
  'members:write',
  'audit:read',
] as const

type MemberScope = (typeof MEMBER_SCOPES)[number]

/** A scope of an API key or of a member. */
export type CallerScope = Scope | MemberScope

const READER: readonly CallerScope[] = [
  'videos:read',
  'folders:read',
  'webhooks:read',
  'account:read',
  'settings:read',
  'usage:read',
  'audience:read',
  'viewers:read',
  'members:read',
]

const EDITOR: readonly CallerScope[] = [
  ...READER,
  'videos:write',
  'playback:sign',
  'folders:write',
  'webhooks:write',
  'settings:write',
  'viewers:write',
]

const OWNER: readonly CallerScope[] = [
  ...EDITOR,
  'keys:read',
  'keys:write',
  'secrets:write',
  'members:write',
  'audit:read',
  'viewers:erase',
]

const SCOPES_OF: Record<Role, readonly CallerScope[]> = {
  owner: OWNER,
  editor: EDITOR,
  reader: READER,
}

/** The scopes that a member with this role carries. */
export const scopesOf = (role: Role): readonly CallerScope[] => SCOPES_OF[role]

/** The role with more rights. */
export const strongerRole = (one: Role, other: Role): Role =>
  ROLES.indexOf(one) < ROLES.indexOf(other) ? one : other

export const isRole = (text: string): text is Role => ROLES.some((role) => role === text)
