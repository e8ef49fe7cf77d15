import type { EntityManager } from './database.ts'

/** What signing a viewer token for a video takes. */
export interface SigningFacts {
  /** Of the account. */
  id: number
  /** Sealed (`security/secret-contexts.ts`). */
  sealedSigningSecret: string
}

/** The signing facts of the account, where the video is there and the account's; else null. One query. */
export async function findSigningFacts(
  em: EntityManager,
  accountId: number,
  videoId: string,
): Promise<SigningFacts | null> {
  const [row] = await em.execute<SigningFacts[]>(
    `select a.id, a.sealed_signing_secret as "sealedSigningSecret"
     from video v join account a on a.id = v.account_id
     where v.id = ? and v.account_id = ? and v.deleted_at is null`,
    [videoId, accountId],
  )
  return row ?? null
}
