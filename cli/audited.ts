import { appendAuditEntry } from '../commands/audit.ts'
import type { EntityManager } from '../db/database.ts'
import { changedFields, type AuditedFields } from '../domain/accounts/audit.ts'
import { operatorActor } from './operator.ts'

/** A change of the operator, for the audit log. */
export interface OperatorChange {
  /** Null for a change of the whole installation. */
  accountId: number | null
  /** Noun and verb, such as `settings.update`; the same as that of the API and the dashboard. */
  action: string
  /** The id of what was changed. */
  subject: string
  /** The JSON shapes before and after; null or absent if there is none. */
  before?: object | null
  after?: object | null
  /** Fields that may reach the log. It holds no secret. */
  fields: readonly string[]
}

/**
 * Runs a write of the command line in a transaction that also writes the audit log. `describe` says what
 * has changed; null writes no entry.
 */
export const audited = <T>(
  em: EntityManager,
  work: (tx: EntityManager) => Promise<T>,
  describe: (response: T) => OperatorChange | null,
): Promise<T> =>
  em.transactional(async (tx) => {
    const response = await work(tx)
    const change = describe(response)
    if (change) {
      const { accountId, action, subject, before, after, fields } = change
      const states = changedFields(fieldsOf(before), fieldsOf(after), fields)
      await appendAuditEntry(tx, accountId, operatorActor(), { action, subject, ...states })
    }
    return response
  })

const fieldsOf = (shape: object | null = null): AuditedFields | null =>
  shape && Object.fromEntries(Object.entries(shape))
