import type { Response } from 'express'
import { holdSession, lockMemberships } from '../../../db/accounts/callers.ts'
import type { EntityManager } from '../../../db/database.ts'
import { findRole, lockMember } from '../../../db/members/members.ts'
import { findSession } from '../../../db/members/write-dashboard-sessions.ts'
import type { Actor } from '../../../domain/accounts/audit.ts'
import { scopesOf, type CallerScope, type Role } from '../../../domain/accounts/roles.ts'
import { ApiError, orNotFound } from '../../../http/api-error.ts'
import type { Caller, CallerOf, Rights } from '../../../http/caller.ts'
import type { WorkflowsUrl } from '../../../views/members/me.ts'
import { checkPassword, type Authentication, type RequestSession } from './authentication.ts'
import type { Passkeys } from './passkeys.ts'

interface MemberRequest {
  accountId: number
  role: Role
  session: RequestSession
  ip: string
  response: Response
}

/** A signed-in member, acting for one account. */
export class MemberCaller implements Caller {
  readonly accountId: number
  readonly role: Role
  readonly session: RequestSession
  readonly #authentication: Authentication
  readonly #ip: string
  readonly #response: Response

  constructor(
    authentication: Authentication,
    { accountId, role, session, ip, response }: MemberRequest,
  ) {
    this.accountId = accountId
    this.role = role
    this.session = session
    this.#authentication = authentication
    this.#ip = ip
    this.#response = response
  }

  get sessionId(): number {
    return this.session.id
  }

  get passkeys(): Passkeys {
    return this.#authentication.passkeys
  }

  /** Where workflows are in the Web UI of Temporal. Only an operator may get it. */
  get workflowsUrl(): WorkflowsUrl | null {
    return this.#authentication.workflowsUrl
  }

  /** Address of the Direct Play pages, without a slash at the end; null if they are off. */
  get directPlayBase(): string | null {
    return this.#authentication.directPlayBase
  }

  get member(): { id: number; email: string } {
    return { id: this.session.memberId, email: this.session.email }
  }

  get actor(): Actor {
    return { kind: 'member', id: this.session.memberId, name: this.session.email }
  }

  requireScope(scope: CallerScope): void {
    requireRoleWith(scope, this.role)
  }

  requireOperator(): void {
    requireOperator(this.session)
  }

  requireElevation(): void {
    if (this.session.elevatedUntil.getTime() <= Date.now())
      throw new ApiError('reauthentication_required')
  }

  async recheck(scope: CallerScope, isForOperators = false): Promise<void> {
    const em = this.#authentication.db.em.fork()
    const session = await findSession(em, this.session.tokenHash, new Date())
    if (!session) throw new ApiError('not_signed_in')
    if (isForOperators) requireOperator(session)
    const role = await findRole(em, this.accountId, this.session.memberId)
    requireRoleWith(scope, orNotFound(role, 'account_not_found'))
  }

  async requireIn(
    tx: EntityManager,
    { scope, isForOperators = false, changesRights }: Rights,
  ): Promise<void> {
    const { accountId } = this
    const { id: sessionId, tokenHash, memberId } = this.session
    if (changesRights === 'of-member') await lockMember(tx, memberId)
    if (changesRights === 'of-account') await lockMemberships(tx, accountId)
    const now = new Date()
    const caller = { sessionId, tokenHash, memberId, accountId }
    const held = await holdSession(tx, caller, { now, isForOperators })
    if (!held) {
      const role = await findRole(tx, accountId, memberId)
      throw new ApiError(role === null ? 'account_not_found' : 'not_signed_in')
    }
    if (isForOperators) requireOperator(held)
    requireRoleWith(scope, held.role)
  }

  /** Checks the member's own password. Throws `wrong_credentials`, `too_many_guesses` and `sign_in_busy`. */
  async confirmPassword(password: string): Promise<void> {
    await checkPassword(this.#authentication, {
      email: this.session.email,
      password,
      ip: this.#ip,
    })
  }

  /** Gives the browser the new token of the session. */
  sendToken(token: string): void {
    this.#authentication.cookie.set(this.#response, token)
  }
}

function requireOperator({ isOperator }: { isOperator: boolean }): void {
  if (!isOperator) throw new ApiError('route_not_found')
}

function requireRoleWith(scope: CallerScope, role: Role): void {
  if (!scopesOf(role).includes(scope)) throw new ApiError('insufficient_role')
}

/** The member of a request; set by `authenticateMember`. */
export const callerOf: CallerOf = (response) => memberOf(response.locals.caller)

/** The member who calls an operation of the dashboard. */
export function memberOf(caller: unknown): MemberCaller {
  if (!(caller instanceof MemberCaller)) throw new Error('the caller is no signed-in member')
  return caller
}
