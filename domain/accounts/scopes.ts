/**
 * The scopes of API keys: those of the contract (contract, "API key") and those that it leaves
 * open.
 */
export const SCOPES = [
  'videos:read',
  'videos:write',
  'playback:sign',
  'folders:read',
  'folders:write',
  'webhooks:read',
  'webhooks:write',
  'account:read',
  'settings:read',
  'usage:read',
  'audience:read',
  'viewers:erase',
] as const

export type Scope = (typeof SCOPES)[number]

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)
