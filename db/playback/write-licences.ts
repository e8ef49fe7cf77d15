import type { DrmSystemName } from '../../domain/drm/drm-system.ts'
import type { KeyName } from '../../domain/drm/key-contract.ts'
import type { KeyModel } from '../../domain/drm/key-model.ts'
import { leasedPolicy, type LicencePolicy } from '../../domain/drm/licence-policy.ts'
import type { PlaybackSession } from '../../domain/playback/playback-session.ts'
import type { TrackType } from '../../domain/videos/rendition.ts'
import type { Database } from '../database.ts'
import { runStatement } from '../queries.ts'
import {
  MAY_CONTINUE,
  SESSION_COLUMNS,
  SESSION_VALUES,
  sessionValues,
  STARTED_AT,
} from './playback-sessions.ts'
import { HOLDS_LEASE, IS_LIMITED } from './stream-leases.ts'
import { leaseQuery } from './write-stream-leases.ts'

// Raw and prepared: the first frame waits for them (see `runStatement`).
const find = (admission: string): string => `
    asked (${SESSION_COLUMNS}) as (select ${SESSION_VALUES})
    select k.name, k.key_id as "keyIdHex", k.track_types as "trackTypes", k.sealed_key as "sealedKey",
      k.iv_hex as "ivHex", p.hd_needs_hardware as "hdNeedsHardware",
      p.uhd_needs_hardware as "uhdNeedsHardware", p.output_protection as "outputProtection",
      p.licence_seconds as "licenceSeconds", p.renewal_seconds as "renewalSeconds",
      v.key_model as "keyModel", ${IS_LIMITED} as "isLimited"
    from asked, video v
      join account a on a.id = v.account_id
      join plan p on p.account_id = a.id
      join content_key k on k.video_id = v.id
    where ${MAY_CONTINUE} and ${admission} and v.protection = 'multi-drm'
      and not exists (select from playback_record s where s.id = $1 and s.started_at = ${STARTED_AT} and s.ended_at is not null)
    order by k.key_id`
const FIND = { name: 'find-entitlement', text: `with ${find(`not ${IS_LIMITED}`)}` }
const LEASED_FIND = {
  name: 'find-entitlement-leased',
  text: `with ${leaseQuery(MAY_CONTINUE)}, ${find(HOLDS_LEASE)}`,
}

/** A key of a Multi-DRM video, sealed. */
interface EntitledKey {
  name: KeyName
  keyIdHex: string
  trackTypes: TrackType[]
  sealedKey: string
  ivHex: string | null
}

type EntitlementRow = EntitledKey &
  LicencePolicy & { keyModel: KeyModel | null; isLimited: boolean }

/** What the licences of a session may contain. */
export interface Entitlement {
  keys: EntitledKey[]
  /** Where the keys come from; null if it was never recorded. */
  keyModel: KeyModel | null
  policy: LicencePolicy
}

/**
 * Finds the keys of the session's video, still sealed, and the licence policy of its account: in one statement,
 * or two if the plays of the viewer are limited, of which the second takes or renews the lease of the session.
 * Resolves to null when the session may not continue, when it gets no lease, or when the video is not protected by
 * Multi-DRM.
 */
export async function findEntitlement(
  db: Database,
  session: PlaybackSession,
): Promise<Entitlement | null> {
  const values = sessionValues(session, null)
  const found = await runStatement<EntitlementRow>(db, FIND, values)
  const rows =
    found.length > 0 ? found : await runStatement<EntitlementRow>(db, LEASED_FIND, values)
  const [first] = rows
  if (!first) return null
  const { hdNeedsHardware, uhdNeedsHardware, outputProtection } = first
  const { licenceSeconds, renewalSeconds } = first
  const own = {
    hdNeedsHardware,
    uhdNeedsHardware,
    outputProtection,
    licenceSeconds,
    renewalSeconds,
  }
  return {
    keys: rows.map(({ name, keyIdHex, trackTypes, sealedKey, ivHex }) => ({
      name,
      keyIdHex,
      trackTypes,
      sealedKey,
      ivHex,
    })),
    keyModel: first.keyModel,
    policy: first.isLimited ? leasedPolicy(own) : own,
  }
}

const grant = (admission: string): string => `
    device as (
      insert into drm_device as d (account_id, device_id, system, viewer_id)
      select $3::int, $10::text, $11::text, $4::text where $10 is not null
      on conflict (account_id, device_id) do update
        set system = excluded.system, viewer_id = excluded.viewer_id, last_seen_at = now()
      returning d.revoked_at is not null as revoked),
    granted as (
      insert into playback_record as s (${SESSION_COLUMNS}, key_grants)
      select ${SESSION_VALUES}, 1 from video v, account a
      where ${MAY_CONTINUE} and ${admission} and v.protection = 'multi-drm'
        and not exists (select from device where revoked)
      on conflict (id, started_at) do update set key_grants = s.key_grants + 1, last_seen_at = now()
      where s.ended_at is null
      returning 1)
    select exists (select from granted) as granted,
      exists (select from device where revoked) as "isDeviceRevoked"`
const GRANT = { name: 'licence-grant', text: `with ${grant(`not ${IS_LIMITED}`)}` }
const LEASED_GRANT = {
  name: 'licence-grant-leased',
  text: `with ${leaseQuery(MAY_CONTINUE)}, ${grant(HOLDS_LEASE)}`,
}

interface GrantRow {
  granted: boolean
  isDeviceRevoked: boolean
}

/**
 * Records that a session is given a licence, unless it may not continue, has no lease, or the account has revoked
 * the device: in one statement, or two if the plays of the viewer are limited. `deviceId` is null if the provider
 * does not name the device.
 */
export async function grantLicence(
  db: Database,
  session: PlaybackSession,
  userAgent: string | null,
  { system, deviceId }: { system: DrmSystemName; deviceId: string | null },
): Promise<'granted' | 'session_over' | 'device_revoked'> {
  const values = [...sessionValues(session, userAgent), deviceId, system]
  for (const statement of [GRANT, LEASED_GRANT]) {
    const [row] = await runStatement<GrantRow>(db, statement, values)
    if (row?.granted === true) return 'granted'
    if (row?.isDeviceRevoked === true) return 'device_revoked'
  }
  return 'session_over'
}
