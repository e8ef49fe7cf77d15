import { counter, gauge } from './registry.ts'

export const collectionFailures = counter(
  'reelgate_collection_failures_total',
  'Values that could not be read in time when Prometheus asked for them; their metrics are then missing.',
  ['collection'],
)

export const diskFree = gauge(
  'reelgate_disk_free_bytes',
  'Free space of the file system that holds a folder: `scratch` of a worker, or `storage` if objects are kept in a folder.',
  ['folder'],
)

export const diskSize = gauge(
  'reelgate_disk_size_bytes',
  'Size of the file system that holds a folder.',
  ['folder'],
)

export const clockOffset = gauge(
  'reelgate_clock_offset_seconds',
  'How far the clock of the process is ahead of the database’s, at least; negative if it is behind. Compared every five seconds.',
)

export const partReady = gauge(
  'reelgate_part_ready',
  'Whether a part that the process needs (`database`, `storage`, `temporal`, and `clock`, which is in step) responded when its readiness was last asked for, as health checks do.',
  ['part'],
)
