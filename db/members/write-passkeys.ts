import type { EntityManager } from '../database.ts'
import { Passkey } from '../entities/member.ts'

export interface NewPasskey {
  /** The credential id, in base64url. */
  id: string
  memberId: number
  publicKey: Uint8Array
  counter: number
  transports: string[]
  name: string
}

/** Adds a passkey. Violates a unique constraint if the credential is registered already. */
export async function insertPasskey(
  em: EntityManager,
  { publicKey, ...facts }: NewPasskey,
): Promise<Passkey> {
  const row = { ...facts, publicKey: Buffer.from(publicKey), lastUsedAt: null }
  const passkey = em.create(Passkey, row)
  await em.persist(passkey).flush()
  return passkey
}

/** Notes a use. False if the passkey has been deleted meanwhile. */
export const notePasskeyUse = async (
  em: EntityManager,
  { id, memberId }: Pick<Passkey, 'id' | 'memberId'>,
  counter: number,
): Promise<boolean> =>
  (await em.nativeUpdate(Passkey, { id, memberId }, { counter, lastUsedAt: new Date() })) > 0

/** Deletes a passkey of a member. False if the member has no such passkey. */
export const deletePasskey = async (
  em: EntityManager,
  memberId: number,
  id: string,
): Promise<boolean> => (await em.nativeDelete(Passkey, { id, memberId })) > 0

/** Renames a passkey that was read in this transaction. */
export async function updatePasskeyName(
  em: EntityManager,
  passkey: Passkey,
  name: string,
): Promise<void> {
  passkey.name = name
  await em.flush()
}
