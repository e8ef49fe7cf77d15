import type { EntityManager } from '../database.ts'
import { FailedSignIn, Member } from '../entities/member.ts'
import { queries } from '../queries.ts'

// Only commands/members/credentials.ts may import this file: who replaces a password decides what else ends.

/** A passkey as the audit log names it. */
export interface RemovedPasskey {
  id: string
  name: string
}

/** Replaces the password of a member who exists. Guesses at the one before no longer count. */
export async function writePasswordHash(
  em: EntityManager,
  memberId: number,
  passwordHash: string,
): Promise<void> {
  await em.nativeUpdate(Member, { id: memberId }, { passwordHash })
  await em.nativeDelete(FailedSignIn, { memberId })
}

/** Deletes the passkeys of a member, except the one with `exceptId`; returns them. */
export function deletePasskeysOf(
  em: EntityManager,
  memberId: number,
  exceptId: string | null = null,
): Promise<RemovedPasskey[]> {
  return queries(em)
    .deleteFrom('passkey')
    .where('memberId', '=', memberId)
    .$if(exceptId !== null, (passkeys) => passkeys.where('id', '<>', exceptId ?? ''))
    .returning(['id', 'name'])
    .execute()
}
