import { insertAuditEntry } from '../../db/audit.ts'
import type { EntityManager } from '../../db/database.ts'
import { listAccountsOf } from '../../db/members.ts'
import type { Actor, AuditedChange } from '../../domain/audit.ts'

/** A member as the audit log names them. */
export interface NamedMember {
  id: number
  email: string
}

export const actorOf = ({ id, email }: NamedMember): Actor => ({ kind: 'member', id, name: email })

/** What a member did to their own sign-in. */
interface OwnChange extends Pick<AuditedChange, 'action'> {
  /** The id of the member unless it is given. */
  subject?: string
  before?: AuditedChange['before']
  after?: AuditedChange['after']
}

/**
 * Writes an entry to the audit log of every account of the member, because a sign-in opens all of them.
 * Without an account it goes to the log of the installation.
 */
export async function auditMember(
  tx: EntityManager,
  member: NamedMember,
  { action, subject = String(member.id), before = null, after = null }: OwnChange,
): Promise<void> {
  const accounts = await listAccountsOf(tx, member.id)
  const accountIds = accounts.length > 0 ? accounts.map(({ accountId }) => accountId) : [null]
  for (const accountId of accountIds)
    await insertAuditEntry(tx, accountId, actorOf(member), { action, subject, before, after })
}
