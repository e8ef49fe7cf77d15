import { z } from 'zod'
import type { Account, ApiKey, DrmDevice, Plan, RevokedViewer } from '../../db/entities/account.ts'
import { isPlanActive, PROTECTIONS } from '../../domain/accounts/plan.ts'
import { SCOPES } from '../../domain/accounts/scopes.ts'
import { DRM_SYSTEM_NAMES } from '../../domain/drm/drm-system.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { isoUtcOrNull, rowId, timestamp } from '../values.ts'

export const protection = z
  .enum(PROTECTIONS)
  .meta({ id: 'Protection', description: 'How the videos of the account are encrypted.' })

const limit = (what: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `${what}; null if unlimited.` })

/** The plan object (contract, "Other records"). */
export const planSchema = z
  .strictObject({
    object: z.literal('plan'),
    protection,
    is_active: z.boolean().meta({ description: 'Whether new videos are accepted.' }),
    ends_at: timestamp('When the plan ends; existing videos continue to play.').nullable(),
    storage_limit_bytes: limit('Bytes that may be stored'),
    bandwidth_limit_bytes: limit('Bytes that may be served in a calendar month'),
    encoding_limit_minutes: limit('Minutes that may be encoded in a calendar month'),
    updated_at: timestamp('When the plan was last changed.'),
  })
  .meta({ id: 'Plan' })

/** The plan object at `now`. */
export const planView = (plan: Plan, now: Date): z.output<typeof planSchema> => ({
  object: 'plan',
  protection: plan.protection,
  is_active: isPlanActive(plan, now),
  ends_at: isoUtcOrNull(plan.endsAt),
  storage_limit_bytes: plan.storageLimitBytes,
  bandwidth_limit_bytes: plan.bandwidthLimitBytes,
  encoding_limit_minutes: plan.encodingLimitMinutes,
  updated_at: isoUtc(plan.updatedAt),
})

/** The account object (contract, "Other records"). */
export const accountSchema = z
  .strictObject({
    id: rowId.meta({ description: 'Account id; every embed URL contains it in base64.' }),
    object: z.literal('account'),
    name: z.string(),
    plan: z
      .strictObject({ protection })
      .meta({ id: 'AccountPlan' })
      .nullable()
      .meta({ description: 'The active plan, or null; GET /v1/plan returns all of it.' }),
    created_at: timestamp('When the account was created.'),
  })
  .meta({ id: 'Account' })

/** The account object; `plan` is the active plan, or null. */
export const accountView = (
  account: Account,
  plan: Plan | null,
): z.output<typeof accountSchema> => ({
  id: account.id,
  object: 'account',
  name: account.name,
  plan: plan && { protection: plan.protection },
  created_at: isoUtc(account.createdAt),
})

/** An API key without the key, of which only the hash is stored. */
export const apiKeySchema = z.strictObject({
  id: rowId,
  object: z.literal('api_key'),
  account_id: rowId,
  name: z.string(),
  hint: z.string().meta({ description: 'The first characters of the key.' }),
  scopes: z.array(z.enum(SCOPES)),
  created_at: timestamp('When the key was created.'),
  revoked_at: timestamp('When the key was revoked.').nullable(),
})

/** An API key without the key, of which only the hash is stored. */
export const apiKeyView = (key: ApiKey): z.output<typeof apiKeySchema> => ({
  id: key.id,
  object: 'api_key',
  account_id: key.accountId,
  name: key.name,
  hint: key.hint,
  scopes: key.scopes,
  created_at: isoUtc(key.createdAt),
  revoked_at: isoUtcOrNull(key.revokedAt),
})

/** A viewer whose tokens are refused. */
export const revokedViewerSchema = z.strictObject({
  object: z.literal('revoked_viewer'),
  account_id: rowId,
  viewer_id: z.string(),
  revoked_at: timestamp('When the viewer was revoked.'),
})

/** A viewer whose tokens are refused. */
export const revokedViewerView = (viewer: RevokedViewer): z.output<typeof revokedViewerSchema> => ({
  object: 'revoked_viewer',
  account_id: viewer.accountId,
  viewer_id: viewer.viewerId,
  revoked_at: isoUtc(viewer.revokedAt),
})

/** A device that the DRM provider has named, or that the operator has revoked. */
export const deviceSchema = z.strictObject({
  object: z.literal('device'),
  account_id: rowId,
  device_id: z.string(),
  system: z.enum(DRM_SYSTEM_NAMES).nullable(),
  viewer_id: z.string().nullable(),
  first_seen_at: timestamp('When it first asked for a licence.'),
  last_seen_at: timestamp('When it last asked for one.'),
  revoked_at: timestamp('When it was revoked.').nullable(),
})

/** A device that the DRM provider has named, or that the operator has revoked. */
export const deviceView = (device: DrmDevice): z.output<typeof deviceSchema> => ({
  object: 'device',
  account_id: device.accountId,
  device_id: device.deviceId,
  system: device.system,
  viewer_id: device.viewerId,
  first_seen_at: isoUtc(device.firstSeenAt),
  last_seen_at: isoUtc(device.lastSeenAt),
  revoked_at: isoUtcOrNull(device.revokedAt),
})
