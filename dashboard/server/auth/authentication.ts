import type { Request, Response } from 'express'
import type { Browser } from '../../../commands/members/sessions.ts'
import { forkForRequest, type EntityManager } from '../../../db/database.ts'
import { findMemberByEmail } from '../../../db/members/members.ts'
import { findSession, type SessionFacts } from '../../../db/members/write-dashboard-sessions.ts'
import { countFailedSignIn } from '../../../db/members/write-failed-sign-ins.ts'
import { ApiError } from '../../../http/api-error.ts'
import { getRequestId } from '../../../processes/request-log.ts'
import { requireTurn, verifyPassword } from '../../../security/password.ts'
import { hashSecretToken } from '../../../security/tokens/secret-token.ts'
import type { DashboardDeps } from '../deps.ts'
import { openGuessLimit, type GuessLimit } from './guess-limit.ts'
import { openPasskeys, type Passkeys } from './passkeys.ts'
import { refuseWhenBusy } from './refuse-when-busy.ts'
import { sessionCookie, type SessionCookie } from './session-cookie.ts'

/** What every sign-in shares; made once, when the process starts. */
export interface Authentication extends DashboardDeps {
  cookie: SessionCookie
  guesses: GuessLimit
  passkeys: Passkeys
}

/** A session and the hash of the token that the request carries. */
export interface RequestSession extends SessionFacts {
  tokenHash: string
}

export const openAuthentication = (deps: DashboardDeps): Authentication => ({
  ...deps,
  cookie: sessionCookie(deps.dashboardBase),
  guesses: openGuessLimit(deps.db),
  passkeys: openPasskeys(deps),
})

/** The session of a request; null if it has none, or if it has ended. */
export async function readSession(
  { db, cookie }: Authentication,
  request: Request,
): Promise<RequestSession | null> {
  const token = cookie.read(request)
  if (token === null) return null
  const tokenHash = hashSecretToken(token)
  const session = await findSession(db.em.fork(), tokenHash, new Date())
  return session && { ...session, tokenHash }
}

/** The member with this address and password. */
export interface ProvenMember {
  id: number
  email: string
  passwordHash: string
}

/**
 * Checks a password within the limit of guesses. Throws `wrong_credentials`, the same for an unknown
 * address and after the same work, `too_many_guesses`, or `sign_in_busy`.
 */
export async function checkPassword(
  authentication: Authentication,
  { email, password, ip }: { email: string; password: string; ip: string },
): Promise<ProvenMember> {
  const { db, guesses } = authentication
  // Before the guess counts: a busy server is not the fault of the member.
  await refuseWhenBusy(requireTurn)
  await guesses.count({ ip, email })
  const member = await findMemberByEmail(db.em.fork(), email)
  const passwordHash = member?.passwordHash ?? null
  const isRight = await refuseWhenBusy(() => verifyPassword(password, passwordHash))
  if (member && !isRight) showMember(authentication, member.id)
  if (!member || passwordHash === null || !isRight) throw new ApiError('wrong_credentials')
  await guesses.accept({ ip, email })
  return { id: member.id, email, passwordHash }
}

/**
 * Counts a wrong password for the page of its member. The response does not wait for it: its time would say that the
 * address has a member. The limit of guesses bounds how often it is written.
 */
const showMember = ({ db, logger }: Authentication, memberId: number): void =>
  void countFailedSignIn(db.em.fork(), memberId).catch((err: unknown) =>
    logger.warn({ err }, 'a failed sign-in was not counted'),
  )

/** The browser of a request, with the session that a new one replaces. */
export const browserOf = async (
  authentication: Authentication,
  request: Request,
): Promise<Browser> => ({
  ip: ipOf(request),
  agent: request.get('User-Agent') ?? '',
  session: await readSession(authentication, request),
})

export const ipOf = (request: Request): string => request.ip ?? ''

/** Runs a transaction whose audit entries carry the id of the request. */
export const inTransaction = <T>(
  { db }: Authentication,
  response: Response,
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> => forkForRequest(db, getRequestId(response)).transactional(work)
