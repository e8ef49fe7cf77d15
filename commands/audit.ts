import { insertAuditEntry } from '../db/accounts/write-audit.ts'
import { requestOf, type EntityManager } from '../db/database.ts'
import type { Actor, AuditedChange } from '../domain/accounts/audit.ts'

/** Adds an entry to the audit log, in the transaction of the change that it describes. */
export const appendAuditEntry = (
  tx: EntityManager,
  accountId: number | null,
  actor: Actor,
  change: AuditedChange,
): Promise<void> =>
  insertAuditEntry(tx, {
    ...change,
    accountId,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    requestId: requestOf(tx),
  })
