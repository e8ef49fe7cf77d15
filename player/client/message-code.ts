import type { SessionEnd } from '../../domain/playback-session.ts'

/** What the owner of the embedding page did wrong, as far as the frame can tell. */
export type EmbeddingMistake = 'no_encrypted_media' | 'sandboxed' | 'insecure'

/** What can go wrong in the page; each has words for the viewer. */
export type MessageCode =
  | EmbeddingMistake
  | 'unsupported'
  | 'licence_refused'
  | SessionEnd
  | 'network'
  | 'watermark'
  | 'failed'
