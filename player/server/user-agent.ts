import type { Request } from 'express'

const USER_AGENT_MAX_LENGTH = 300

/** Returns the User-Agent header, cut to the length that sessions store. */
export const userAgentOf = (request: Request): string | null =>
  request.get('User-Agent')?.slice(0, USER_AGENT_MAX_LENGTH) ?? null
