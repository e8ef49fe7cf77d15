import type { EntityManager } from './database.ts'
import { MasterKey } from './entities/master-key.ts'

/** The recorded fingerprints, by the version of their key. */
export async function readFingerprints(em: EntityManager): Promise<Map<number, string>> {
  const rows = await em.findAll(MasterKey)
  return new Map(rows.map(({ version, fingerprint }) => [version, fingerprint]))
}

/** Records the fingerprint of a version that has none; of two at once, the first one stays. */
export async function recordFingerprint(
  em: EntityManager,
  version: number,
  fingerprint: string,
): Promise<void> {
  await em.execute(
    'insert into master_key (version, fingerprint) values (?, ?) on conflict (version) do nothing',
    [version, fingerprint],
  )
}

/** A sealed value, and what names its place (`security/secret-contexts.ts`). */
export type SealedValue = { sealed: string } & (
  | { of: 'signing-secret' | 'webhook-endpoint'; accountId: number }
  | { of: 'content-key'; videoId: string; trackType: string }
)

type Row = {
  sealed: string
  of: SealedValue['of']
  accountId: number | null
  videoId: string | null
  trackType: string | null
}

/** The oldest value that a version of the master key has sealed; null if it has sealed nothing. */
export async function findSealedValue(
  em: EntityManager,
  version: number,
): Promise<SealedValue | null> {
  const [row] = await em.execute<Row[]>(
    `(select 'signing-secret' as of, sealed_signing_secret as sealed, id as "accountId",
        null as "videoId", null as "trackType"
      from account where sealed_signing_secret like ? order by id limit 1)
     union all
     (select 'webhook-endpoint', sealed_secret, account_id, null, null
      from webhook_endpoint where sealed_secret like ? order by id limit 1)
     union all
     (select 'content-key', sealed_key, null, video_id, track_type
      from content_key where sealed_key like ? order by created_at limit 1)
     limit 1`,
    Array<string>(3).fill(`v${version}.%`),
  )
  return row ? (row as SealedValue) : null
}
