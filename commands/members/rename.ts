import type { EntityManager } from '../../db/database.ts'
import { renameMember } from '../../db/members/write-members.ts'
import { auditMember, type NamedMember } from './audit-member.ts'

/** Changes the name of a member. Call it in a transaction. Without a change it writes nothing. */
export async function rename(
  tx: EntityManager,
  member: NamedMember & { name: string },
  name: string,
): Promise<void> {
  if (member.name === name) return
  await renameMember(tx, member.id, name)
  const before = { name: member.name }
  await auditMember(tx, member, { action: 'member.rename', before, after: { name } })
}
