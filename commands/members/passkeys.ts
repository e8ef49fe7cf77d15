import type { EntityManager } from '../../db/database.ts'
import type { Passkey } from '../../db/entities/member.ts'
import { findMember, lockMember } from '../../db/members/members.ts'
import { countPasskeys, findPasskeyOf } from '../../db/members/passkeys.ts'
import {
  deletePasskey,
  insertPasskey,
  notePasskeyUse,
  updatePasskeyName,
  type NewPasskey,
} from '../../db/members/write-passkeys.ts'
import { PASSKEYS_MAX } from '../../domain/limits.ts'
import { Refusal, refuseViolation } from '../refusal.ts'
import { auditMember, type NamedMember } from './audit-member.ts'

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
  // Two passkeys added at the same time would both find room for one.
  await lockMember(tx, member.id)
  if ((await countPasskeys(tx, member.id)) >= PASSKEYS_MAX)
    throw new Refusal('invalid_parameter', {
      message: `A member has at most ${PASSKEYS_MAX} passkeys.`,
    })
  const adding = insertPasskey(tx, { ...credential, memberId: member.id })
  const added = await refuseViolation(adding, 'unique', 'invalid_parameter', {
    field: 'response',
    message: 'This passkey is registered already.',
  })
  const { id, name } = credential
  await auditMember(tx, member, { action: 'passkey.create', subject: id, after: { name } })
  return added
}

/** Renames a passkey of a member. Refuses with `passkey_not_found`. */
export async function renamePasskey(
  tx: EntityManager,
  member: NamedMember,
  { id, name }: { id: string; name: string },
): Promise<Passkey> {
  const passkey = await findPasskeyOf(tx, member.id, id)
  if (!passkey) throw new Refusal('passkey_not_found')
  const before = { name: passkey.name }
  if (before.name === name) return passkey
  await updatePasskeyName(tx, passkey, name)
  await auditMember(tx, member, { action: 'passkey.rename', subject: id, before, after: { name } })
  return passkey
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
