import type { EntityManager } from '../../db/database.ts'
import { listAccountsOf } from '../../db/members/members.ts'
import type { Actor, AuditedChange } from '../../domain/accounts/audit.ts'
import { appendAuditEntry } from '../audit.ts'

/** A member as the audit log names them. */
export interface NamedMember {
  id: number
  email: string
}

export const actorOf = ({ id, email }: NamedMember): Actor => ({ kind: 'member', id, name: email })

/** A change of a member's sign-in, or of what the member is in all accounts. */
interface MemberChange extends Pick<AuditedChange, 'action'> {
  /** The id of the member unless it is given. */
  subject?: string
  /** The member unless it is given. */
  by?: Actor
  before?: AuditedChange['before']
  after?: AuditedChange['after']
}

/**
 * Writes an entry to the audit log of every account of the member, because it concerns all of them.
 * Without an account it goes to the log of the installation.
 */
export async function auditMember(
  tx: EntityManager,
  member: NamedMember,
  {
    action,
    subject = String(member.id),
    by = actorOf(member),
    before = null,
    after = null,
  }: MemberChange,
): Promise<void> {
  const accounts = await listAccountsOf(tx, member.id)
  const accountIds = accounts.length > 0 ? accounts.map(({ accountId }) => accountId) : [null]
  for (const accountId of accountIds)
    await appendAuditEntry(tx, accountId, by, { action, subject, before, after })
}
