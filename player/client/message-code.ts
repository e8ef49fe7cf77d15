/** What the owner of the embedding page did wrong, as far as the frame can tell. */
export type EmbeddingMistake = 'no_encrypted_media' | 'sandboxed' | 'insecure'

/** What can go wrong in the page; each has words for the viewer. */
export type MessageCode =
  | EmbeddingMistake
  | 'unsupported'
  | 'licence_refused'
  | 'session_ended'
  | 'secret_rotated'
  | 'video_deleted'
  | 'viewer_revoked'
  | 'network'
  | 'watermark'
  | 'failed'
