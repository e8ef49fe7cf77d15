import { createHash, randomBytes } from 'node:crypto'
import { findAccount, isOverLimit, lockAccount, lockStorage } from '../../db/accounts/accounts.ts'
import { requestOf, type EntityManager } from '../../db/database.ts'
import { countOpenUploads, findUpload, type UploadDetails } from '../../db/uploads/uploads.ts'
import { insertUpload } from '../../db/uploads/write-uploads.ts'
import { readTagKeys } from '../../db/videos/tag-keys.ts'
import { SOURCE_MAX_BYTES } from '../../domain/limits.ts'
import { distinctTags, type OwnData } from '../../domain/videos/own-data.ts'
import { newSourceKey } from '../../security/sealing/encrypted-source.ts'
import { seal, type MasterKeys } from '../../security/sealing/sealing.ts'
import {
  uploadSourceKeyContext,
  uploadTokenContext,
} from '../../security/sealing/secret-contexts.ts'
import { Refusal } from '../refusal.ts'
import { requirePlan } from '../videos/check-link.ts'
import { claimExternalId } from '../videos/claim-external-id.ts'
import { requireFewKeys, requireFolder } from '../videos/edit-video.ts'

/** A file that a client wants to send. */
export interface UploadOrder extends Partial<OwnData> {
  accountId: number
  filename: string
  title: string
  description: string
  folderId: number | null
  /** Null for the setting of the account. */
  keepOriginal: boolean | null
  allowedOrigin: string | null
  /** Null if the client does not know it yet. */
  sizeBytes: number | null
  expiresInSeconds: number
}

interface UploadRules {
  masterKeys: MasterKeys
  hasDrmProvider: boolean
  /** How many uploads of an account may be open. */
  openMax: number
}

const TOKEN_BYTES = 32

/** The stored form of the secret part of an upload's address. */
export const hashUploadToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex')

/**
 * Inserts an upload, and reserves its storage: all of its size, or nothing if that is not known. Its address has a new secret. Call it in a transaction. Refuses with `no_active_plan`, `drm_provider_not_configured`,
 * `folder_not_found`, `too_much_metadata`, `too_many_uploads`, `external_id_taken`, `source_too_large` and `insufficient_storage`.
 */
export async function createUpload(
  tx: EntityManager,
  order: UploadOrder,
  { masterKeys, hasDrmProvider, openMax }: UploadRules,
): Promise<UploadDetails> {
  const { accountId, folderId, sizeBytes } = order
  await requirePlan(tx, { accountId, hasDrmProvider })
  await requireFolder(tx, accountId, folderId)
  if ((sizeBytes ?? 0) > SOURCE_MAX_BYTES)
    throw new Refusal('source_too_large', { field: 'size_bytes' })
  requireFewKeys(order.metadata ?? {})
  await lockAccount(tx, accountId)
  if ((await countOpenUploads(tx, accountId)) >= openMax) throw new Refusal('too_many_uploads')
  const account = await findAccount(tx, accountId)
  const videoId = randomBytes(10).toString('hex')
  await claimExternalId(tx, accountId, videoId, order.externalId)
  const tags = order.tags ?? []
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const { id } = await insertUpload(tx, {
    ...order,
    tags: distinctTags(tags, await readTagKeys(tx, tags)),
    keepOriginal: order.keepOriginal ?? account?.settings.keep_original ?? false,
    videoId,
    tokenHash: hashUploadToken(token),
    sealedToken: seal(masterKeys, token, uploadTokenContext(videoId)),
    sealedKey: seal(masterKeys, newSourceKey(), uploadSourceKeyContext(videoId)),
    reservedBytes: sizeBytes ?? 0,
    requestId: requestOf(tx),
  })
  // Last, because others of the account wait until the commit.
  await lockStorage(tx, accountId)
  if ((sizeBytes ?? 0) > 0 && (await isOverLimit(tx, accountId)))
    throw new Refusal('insufficient_storage', { field: 'size_bytes' })
  const upload = await findUpload(tx, accountId, id)
  if (!upload) throw new Error('the upload that was inserted is gone')
  return upload
}
