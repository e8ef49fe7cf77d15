import { appendAuditEntry } from '../commands/audit.ts'
import { changedFields, type AuditedFields } from '../domain/accounts/audit.ts'
import type { Caller } from './caller.ts'
import type { Commit, Operation } from './operation.ts'

/**
 * Makes a commit that also writes the audit log, in the same transaction: no change without an entry, no
 * entry without a change. A change that leaves every named field as it was writes none.
 */
export const audited =
  (
    commit: Commit,
    { method, audit }: Operation,
    caller: Caller,
    params: Record<string, unknown>,
  ): Commit =>
  (work) =>
    commit(async (tx) => {
      if (!audit) return work(tx)
      const before = (await audit.before?.(tx, caller.accountId, params)) ?? null
      // Otherwise reads of the handler would return these rows as they were before its change.
      tx.clear()
      const response = await work(tx)
      const shape = audit.after ? audit.after(response, params) : response
      const after = method === 'delete' ? null : fieldsOf(shape)
      const changed = changedFields(before && fieldsOf(before), after, audit.fields)
      const isSame =
        before !== null && after !== null && Object.keys(changed.after ?? {}).length === 0
      if (!isSame || audit.fields.length === 0) {
        const change = { action: audit.action, subject: subjectOf(params, after), ...changed }
        await appendAuditEntry(tx, caller.accountId, caller.actor, change)
      }
      return response
    })

const fieldsOf = (shape: unknown): AuditedFields =>
  typeof shape === 'object' && shape !== null ? Object.fromEntries(Object.entries(shape)) : {}

/** The ids in the path, and the id of what was created: `<video id>/<moment id>`. */
function subjectOf(params: Record<string, unknown>, after: AuditedFields | null): string {
  const ids = Object.values(params).map(String)
  const id = after?.id ?? after?.language_code
  const isNew = (typeof id === 'number' || typeof id === 'string') && !ids.includes(String(id))
  return [...ids, ...(isNew ? [String(id)] : [])].join('/')
}
