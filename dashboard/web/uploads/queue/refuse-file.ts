import { SOURCE_MAX_BYTES } from '../../../../domain/limits.ts'
import { mayBeVideo } from '../../../../domain/uploads/video-names.ts'

/** Why a file is not sent. */
export type FileRefusal = 'not_video' | 'empty' | 'too_large' | 'no_room'

interface Candidate {
  name: string
  size: number
  /** As the browser says it; empty for types that it does not know. */
  type: string
}

/**
 * Why a file cannot become a video, as far as its name and size say; null if they say nothing against it. `roomBytes` is what
 * the plan has left; null if it is unlimited or not known.
 */
export function refuseFile(file: Candidate, roomBytes: number | null): FileRefusal | null {
  if (!mayBeVideo(file)) return 'not_video'
  if (file.size === 0) return 'empty'
  if (file.size > SOURCE_MAX_BYTES) return 'too_large'
  return roomBytes !== null && file.size > roomBytes ? 'no_room' : null
}
