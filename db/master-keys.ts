import type { KeyName } from '../domain/key-contract.ts'
import type { EntityManager } from './database.ts'
import { Account } from './entities/account.ts'
import { WebhookEndpoint } from './entities/event.ts'
import { MasterKey } from './entities/process.ts'
import { ContentKey } from './entities/video.ts'
import { queries } from './queries.ts'

/** The recorded fingerprints, by the version of their key. */
export async function readFingerprints(em: EntityManager): Promise<Map<number, string>> {
  const rows = await em.findAll(MasterKey)
  return new Map(rows.map(({ version, fingerprint }) => [version, fingerprint]))
}

/** Records the fingerprint of a version that has none; of two concurrent ones, the first stays. */
export async function recordFingerprint(
  em: EntityManager,
  version: number,
  fingerprint: string,
): Promise<void> {
  await queries(em)
    .insertInto('master_key')
    .values({ version, fingerprint })
    .onConflict((conflict) => conflict.column('version').doNothing())
    .execute()
}

/** A sealed value with the data of its context (`security/secret-contexts.ts`). */
export type SealedValue =
  | { of: 'signing-secret' | 'webhook-endpoint'; sealed: string; accountId: number }
  | { of: 'content-key'; sealed: string; videoId: string; name: KeyName }

/** A value that this version of the master key has sealed; null if it has sealed nothing. */
export async function findSealedValue(
  em: EntityManager,
  version: number,
): Promise<SealedValue | null> {
  const sealedText = { $like: `v${version}.%` }
  const oldest = { orderBy: { id: 'asc' } } as const
  const account = await em.findOne(Account, { sealedSigningSecret: sealedText }, oldest)
  if (account)
    return { of: 'signing-secret', sealed: account.sealedSigningSecret, accountId: account.id }
  const endpoint = await em.findOne(WebhookEndpoint, { sealedSecret: sealedText }, oldest)
  if (endpoint)
    return {
      of: 'webhook-endpoint',
      sealed: endpoint.sealedSecret,
      accountId: endpoint.accountId,
    }
  const key = await em.findOne(
    ContentKey,
    { sealedKey: sealedText },
    { orderBy: { createdAt: 'asc' } },
  )
  if (!key) return null
  const { sealedKey: sealed, videoId, name } = key
  return { of: 'content-key', sealed, videoId, name }
}
