import type { Response } from 'express'
import type { EntityManager } from '../db/database.ts'
import type { Actor } from '../domain/accounts/audit.ts'
import type { CallerScope } from '../domain/accounts/roles.ts'

/** Who makes a request: the account it acts for, the name in the audit log, and what it may do. */
export interface Caller {
  accountId: number
  actor: Actor
  /** The dashboard session of a member; null for an API key. */
  sessionId: number | null
  /** Throws an ApiError unless the caller carries `scope`. */
  requireScope: (scope: CallerScope) => void
  /** Throws `route_not_found` unless the caller is a member who runs the installation. */
  requireOperator: () => void
  /** Throws an ApiError unless the caller has proved within minutes who it is. */
  requireElevation: () => void
  /**
   * Throws an ApiError if the caller has lost `scope`, or with `isForOperators` that right, since the request began. Its body may arrive minutes
   * after its headers: a member who expects to be removed could hold a request open, and so could the holder
   * of a key.
   */
  recheck: (scope: CallerScope, isForOperators?: boolean) => Promise<void>
  /**
   * Throws the same errors as `recheck` in the transaction that writes, and keeps the rights of the caller from
   * changing until its end. The first statement of the transaction: it takes locks (`db/accounts/callers.ts`).
   */
  requireIn: (tx: EntityManager, rights: Rights) => Promise<void>
}

/** What a caller must be allowed to do, as an operation states it. */
export interface Rights {
  scope: CallerScope
  /** True for the page of the operators: for every other caller there is nothing at its address. */
  isForOperators?: boolean
  /**
   * What the operation may take away from callers, its own included: roles in the account, or the ways to sign in of
   * the member. It is locked first, so that two of them do not wait for each other.
   */
  changesRights?: 'of-account' | 'of-member'
}

/** Returns the caller of a request; each server that mounts operations has its own way to sign in. */
export type CallerOf = (response: Response) => Caller
