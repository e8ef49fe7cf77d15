import { randomBytes } from 'node:crypto'
import { requestContentKeys, storeContentKeys } from '../../commands/ingest/content-keys.ts'
import { videoGone } from '../../commands/ingest/ingest-refusal.ts'
import type { EntityManager } from '../../db/database.ts'
import type { KeyRequest } from '../../db/entities/video.ts'
import { findContentKey, findContentKeys } from '../../db/ingest/content-keys.ts'
import type { Protection } from '../../domain/accounts/plan.ts'
import type { KeyGroup } from '../../domain/drm/key-contract.ts'
import type { TrackType } from '../../domain/videos/rendition.ts'
import type { ContentKey, WantedKey } from '../../drm/key-provider.ts'
import { seal, unseal, type MasterKeys } from '../../security/sealing/sealing.ts'
import { contentKeyContext } from '../../security/sealing/secret-contexts.ts'
import type { ActivityDeps } from '../deps.ts'
import { checkSignalling } from './check-signalling.ts'

/** A video that gets content keys. */
export interface VideoOfKeys {
  id: string
  protection: Protection
}

/**
 * Makes and seals the content keys of a video, unless the track types that it needs have keys already.
 * Concurrent or repeated runs end with the same keys, because those that are stored first stay. Refuses
 * with `video_gone` if the video was deleted or has ended.
 */
export async function ensureContentKeys(
  deps: Pick<ActivityDeps, 'masterKeys' | 'keyProvider'>,
  em: EntityManager,
  video: VideoOfKeys,
  trackTypes: readonly TrackType[],
  signal?: AbortSignal,
): Promise<void> {
  const present = await coveredTypes(em, video.id)
  if (trackTypes.every((type) => present.has(type))) return
  const provider = deps.keyProvider(video.protection)
  const groups = withoutTypes(provider.groups(trackTypes), present)
  const wanted =
    provider.model === 'provider' ? await requestOf(em, video.id, groups) : groups.map(draw)
  const keys = await provider.createKeys({
    videoId: video.id,
    keys: wanted,
    ...(signal && { signal }),
  })
  // Before hours of encoding; each rendition is checked again before it is published.
  if (video.protection === 'multi-drm') checkSignalling(keys)
  const rows = keys.map((key) => sealedRow(deps.masterKeys, video.id, key))
  await storeContentKeys(em, video.id, provider.model, rows)
}

async function coveredTypes(em: EntityManager, videoId: string): Promise<Set<TrackType>> {
  const rows = await findContentKeys(em, videoId)
  return new Set(rows.flatMap((row) => row.trackTypes))
}

const withoutTypes = (groups: readonly KeyGroup[], present: ReadonlySet<TrackType>): KeyGroup[] =>
  groups
    .map(({ name, trackTypes }) => ({
      name,
      trackTypes: trackTypes.filter((type) => !present.has(type)),
    }))
    .filter(({ trackTypes }) => trackTypes.length > 0)

const draw = (group: KeyGroup): WantedKey => ({
  ...group,
  keyId: randomBytes(16),
  iv: randomBytes(16),
})

/** Returns what the key server is asked for: the same for every attempt. */
async function requestOf(
  em: EntityManager,
  videoId: string,
  groups: KeyGroup[],
): Promise<WantedKey[]> {
  const rows = groups.map(draw).map(({ name, trackTypes, keyId, iv }) => ({
    videoId,
    name,
    trackTypes,
    keyId: keyId.toString('hex'),
    ivHex: iv.toString('hex'),
  }))
  return (await requestContentKeys(em, videoId, rows)).map(wantedOf)
}

const wantedOf = ({ name, trackTypes, keyId, ivHex }: KeyRequest): WantedKey => ({
  name,
  trackTypes,
  keyId: Buffer.from(keyId, 'hex'),
  iv: Buffer.from(ivHex, 'hex'),
})

const sealedRow = (
  masterKeys: MasterKeys,
  videoId: string,
  { name, trackTypes, keyId, key, ivHex, systems }: ContentKey,
) => ({
  videoId,
  name,
  trackTypes,
  keyId: keyId.toString('hex'),
  sealedKey: seal(masterKeys, key, contentKeyContext(videoId, name)),
  ivHex,
  systems,
})

/** Returns a video's unsealed key for one track type, which stays in memory and is never logged. */
export async function openContentKey(
  masterKeys: MasterKeys,
  em: EntityManager,
  videoId: string,
  trackType: TrackType,
): Promise<ContentKey> {
  const row = await findContentKey(em, videoId, trackType)
  // A deletion destroys the keys before it stops the work.
  if (!row) throw videoGone()
  const { name, trackTypes, ivHex, systems } = row
  return {
    name,
    trackTypes,
    keyId: Buffer.from(row.keyId, 'hex'),
    key: unseal(masterKeys, row.sealedKey, contentKeyContext(videoId, name)),
    ivHex,
    systems,
  }
}
