import { insertAuditEntry } from '../db/accounts/write-audit.ts'
import { requestOf, type EntityManager } from '../db/database.ts'
import { boundStates, bytesOfStates } from '../domain/accounts/audit-bounds.ts'
import type { Actor, AuditedChange, AuditedStates } from '../domain/accounts/audit.ts'
import { createByteAllowance } from '../domain/accounts/byte-allowance.ts'
import {
  AUDIT_BYTES_PER_DAY,
  AUDIT_ENTRY_MAX_BYTES,
  AUDIT_ENTRY_SHORT_BYTES,
} from '../domain/limits.ts'

/** What the states of entries of an account may take in this process; who, what and when are always written. */
export const auditAllowance = createByteAllowance(AUDIT_BYTES_PER_DAY)

/** Adds an entry to the audit log, in the transaction of the change that it describes. Every entry passes here and is bounded (ADR 0077). */
export const appendAuditEntry = (
  tx: EntityManager,
  accountId: number | null,
  actor: Actor,
  change: AuditedChange,
): Promise<void> =>
  insertAuditEntry(tx, {
    ...change,
    ...bounded(accountId, change),
    accountId,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    requestId: requestOf(tx),
  })

/** Short entries stay whole in any case: a flood of long ones hides no change of a role. */
function bounded(accountId: number | null, change: AuditedStates): AuditedStates {
  const states = boundStates(change, AUDIT_ENTRY_MAX_BYTES)
  if (accountId === null) return states
  const isFree = auditAllowance.take(accountId, bytesOfStates(states), Date.now()) === 0
  return isFree ? states : boundStates(states, AUDIT_ENTRY_SHORT_BYTES, AUDIT_ENTRY_MAX_BYTES)
}
