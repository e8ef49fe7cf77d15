import {
  copiesPrefix,
  mediaPrefix,
  parsePartKey,
  partPrefix,
  sourcePrefix,
  tilesPrefix,
} from './media-paths.ts'
import type { VideoStatus } from './video-state.ts'

/** The roots of the bucket, each with one folder for each video. */
export const OBJECT_ROOTS = ['videos/', 'sources/'] as const

/** Whether a folder may be that of a video. The service made no others. */
export const isVideoId = (folder: string): boolean => /^[0-9a-f]{20}$/.test(folder)

/** What says whether the objects of a video are needed. Once it has ended, none of it changes but that it is deleted. */
export interface ObjectOwner {
  status: VideoStatus
  isDeleted: boolean
  /** Its account keeps originals. */
  keepsSource: boolean
  /** The prefixes of its published parts. */
  partPrefixes: ReadonlySet<string>
}

/** How far the comparison of objects with their videos has come. */
export interface ObjectsPosition {
  /** The index of the root in `OBJECT_ROOTS`. */
  root: number
  /** The id of the video whose folder was the last; empty at the beginning. */
  after: string
}

export const FIRST_POSITION: ObjectsPosition = { root: 0, after: '' }

/** What one step of the comparison did, and where the next continues; null if it was the last. */
export interface ObjectsPage {
  removed: number
  /** How many folders could not be removed; workers of the release before do not say. */
  failed?: number
  next: ObjectsPosition | null
}

/**
 * Returns the prefix of objects that include `key` and that no video needs; null if the object is or may become needed.
 * Without an owner there is no such video. Only what has ended has unused objects: a running ingest removes its own.
 */
export function unusedPrefixOf(key: string, owner: ObjectOwner | null): string | null {
  const [root, videoId = ''] = key.split('/')
  const isSource = root === 'sources'
  if (!owner || owner.isDeleted || owner.status === 'failed')
    return isSource ? sourcePrefix(videoId) : mediaPrefix(videoId)
  if (owner.status !== 'ready') return null
  if (isSource) return unusedOfSource(key, videoId, owner)
  if (key.startsWith(tilesPrefix(videoId))) return tilesPrefix(videoId)
  const part = parsePartKey(key)
  const prefix = part && partPrefix(videoId, part.rendition, part.token)
  return prefix !== null && !owner.partPrefixes.has(prefix) ? prefix : null
}

/** A kept original is its source alone, without the copy that its chunks were read from. */
function unusedOfSource(key: string, videoId: string, owner: ObjectOwner): string | null {
  if (!owner.keepsSource) return sourcePrefix(videoId)
  return key.startsWith(copiesPrefix(videoId)) ? copiesPrefix(videoId) : null
}
