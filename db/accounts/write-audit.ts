import type { EntityManager } from '../database.ts'
import { AuditEntry } from '../entities/member.ts'

/** Inserts an entry of the audit log. */
export async function insertAuditEntry(
  em: EntityManager,
  entry: Omit<AuditEntry, 'id' | 'createdAt'>,
): Promise<void> {
  await em.insert(AuditEntry, entry)
}
