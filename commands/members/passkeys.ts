import type { EntityManager } from '../../db/database.ts'
import { findMember } from '../../db/members.ts'
import {
  countPasskeys,
  deletePasskey,
  insertPasskey,
  listPasskeys,
  notePasskeyUse,
} from '../../db/passkeys.ts'
import type { NewPasskey } from '../../db/passkeys.ts'
import type { Passkey } from '../../db/entities/member.ts'
import { PASSKEYS_MAX } from '../../domain/limits.ts'
import { Refusal, refuseViolation } from '../refusal.ts'
import { auditMember } from './audit-member.ts'
import type { NamedMember } from './audit-member.ts'

/** A passkey whose signature was checked, with the counter that the authenticator reported. */
export interface UsedPasskey {
  id: string
  memberId: number
  counter: number
}

/**
 * Adds a passkey to a member. Call it in a transaction. Refuses with `invalid_parameter` if the
 * authenticator has one already, and at the limit.
 */
export async function addPasskey(
  tx: EntityManager,
  member: NamedMember,
  credential: Omit<NewPasskey, 'memberId'>,
): Promise<Passkey> {
  if ((await countPasskeys(tx, member.id)) >= PASSKEYS_MAX)
    throw new Refusal('invalid_parameter', {
      message: `A member has at most ${PASSKEYS_MAX} passkeys.`,
    })
  const adding = insertPasskey(tx, { ...credential, memberId: member.id })
  await refuseViolation(adding, 'unique', 'invalid_parameter', {
    field: 'response',
    message: 'This passkey is registered already.',
  })
  const { id, name } = credential
  await auditMember(tx, member, { action: 'passkey.create', subject: id, after: { name } })
  const added = (await listPasskeys(tx, member.id)).find((passkey) => passkey.id === id)
  if (!added) throw new Refusal('passkey_not_found')
  return added
}

/** Removes a passkey of a member. Refuses with `passkey_not_found`. */
export async function removePasskey(
  tx: EntityManager,
  member: NamedMember,
  id: string,
): Promise<void> {
  if (!(await deletePasskey(tx, member.id, id))) throw new Refusal('passkey_not_found')
  await auditMember(tx, member, { action: 'passkey.delete', subject: id })
}

/** Notes the use of a passkey; returns its member. Refuses with `passkey_not_found`. */
export async function usePasskey(tx: EntityManager, used: UsedPasskey): Promise<NamedMember> {
  const isThere = await notePasskeyUse(tx, used, used.counter)
  const member = isThere ? await findMember(tx, used.memberId) : null
  if (!member) throw new Refusal('passkey_not_found')
  return { id: member.id, email: member.email }
}
