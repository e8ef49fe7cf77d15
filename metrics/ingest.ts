import { counter } from './registry.ts'

const KINDS = [{ kind: 'video' }, { kind: 'audio' }]

export const encodedSeconds = counter(
  'reelgate_encoded_media_seconds_total',
  'Seconds of video that were encoded: one for all resolutions that were made from one decode.',
  ['kind'],
  KINDS,
)

export const encoderSeconds = counter(
  'reelgate_encoder_seconds_total',
  'Seconds that encoders ran, for what they have finished. Media seconds by encoder seconds are the speed against real time.',
  ['kind'],
  KINDS,
)

export const publishedChunks = counter(
  'reelgate_published_chunks_total',
  'Chunks of a rendition that were packaged, encrypted, verified and stored.',
)

export const publishFailures = counter(
  'reelgate_publish_failures_total',
  'Chunks of a rendition that could not be packaged, encrypted, verified or stored; most are tried again.',
)

export const removedObjects = counter(
  'reelgate_unused_objects_removed_total',
  'Objects that the weekly comparison of the storage with the videos has removed: attempts left them after their video had ended.',
)

export const sumDrifts = counter(
  'reelgate_account_sum_drifts_total',
  'Accounts whose kept sums of storage and videos differed from their videos, found and repaired by the check of each night. Any is a defect.',
)

export const endedVideos = counter(
  'reelgate_ended_videos_total',
  'Ingests that have ended.',
  ['status'],
  [{ status: 'ready' }, { status: 'failed' }],
)

export const keyServerFaults = counter(
  'reelgate_key_server_faults_total',
  'Requests for the keys of a Multi-DRM video that are repeated. `fault` is `away`, or what an operator has to fix: `credentials` that the key server does not accept, or an `address` where none is.',
  ['fault'],
  [{ fault: 'away' }, { fault: 'credentials' }, { fault: 'address' }],
)
