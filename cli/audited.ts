import { userInfo } from 'node:os'
import { insertAuditEntry } from '../db/audit.ts'
import type { EntityManager } from '../db/database.ts'
import { changedFields } from '../domain/audit.ts'
import type { Actor, AuditedFields } from '../domain/audit.ts'

/** A change of the operator, for the audit log. */
export interface OperatorChange {
  accountId: number
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
  describe: (answer: T) => OperatorChange | null,
): Promise<T> =>
  em.transactional(async (tx) => {
    const answer = await work(tx)
    const change = describe(answer)
    if (change) {
      const { accountId, action, subject, before, after, fields } = change
      const states = changedFields(fieldsOf(before), fieldsOf(after), fields)
      await insertAuditEntry(tx, accountId, operator(), { action, subject, ...states })
    }
    return answer
  })

const fieldsOf = (shape: object | null = null): AuditedFields | null =>
  shape && Object.fromEntries(Object.entries(shape))

/** The operator as the audit log names them: the user of the operating system. */
const operator = (): Actor => ({ kind: 'operator', id: null, name: userName() })

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // In a container, the user id may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
