/** What an API key may be allowed to do (spec, "API key"; design, section 7). */
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
] as const

export type Scope = (typeof SCOPES)[number]

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)
