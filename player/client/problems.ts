import type { SessionEnd } from '../../domain/playback/playback-session.ts'

/** Mistakes in the embedding page, as far as the frame can detect them. */
export type EmbeddingMistake = 'no_encrypted_media' | 'sandboxed' | 'insecure'

/** Problems of Multi-DRM alone. The first four are codes of the player host. */
export const DRM_PROBLEMS = [
  'drm_device_revoked',
  'drm_security_too_low',
  'drm_output_blocked',
  'drm_unavailable',
  'drm_expired',
  'drm_no_cdm',
] as const

export type DrmProblem = (typeof DRM_PROBLEMS)[number]

/** Problems of every video. */
export type CommonProblem =
  | EmbeddingMistake
  | 'unsupported'
  | 'licence_refused'
  | SessionEnd
  | 'network'
  | 'watermark_lost'
  | 'watermark'
  | 'failed'

/** Problems that the player shows. Each has a text for the viewer. */
export type MessageCode = CommonProblem | DrmProblem

/** What the report of a problem says besides its code: numbers only. */
export interface ProblemFacts {
  /** Of Shaka Player. */
  error_code?: number
  http_status?: number
}

/** Called with the current problem; null means none. */
type ProblemListener = (code: MessageCode | null, facts: ProblemFacts) => void

/** The current problem. The controls show it once they have loaded. */
export interface Problems {
  show(code: MessageCode, facts?: ProblemFacts): void
  /** Marks the problem as solved; with a code, only if it is the current one. */
  clear(code?: MessageCode): void
  /** Calls the listener with the current problem, if any, and on every change. */
  follow(listener: ProblemListener): void
}

/** Creates an empty `Problems`. */
export function createProblems(): Problems {
  let current: MessageCode | null = null
  let currentFacts: ProblemFacts = {}
  const listeners: ProblemListener[] = []
  const set = (code: MessageCode | null, facts: ProblemFacts = {}): void => {
    current = code
    currentFacts = facts
    const { dataset } = document.documentElement
    if (code === null) delete dataset.error
    else dataset.error = code
    for (const listener of listeners) listener(code, facts)
  }
  return {
    show: set,
    clear: (code) => {
      if (current !== null && (code ?? current) === current) set(null)
    },
    follow(listener) {
      listeners.push(listener)
      if (current !== null) listener(current, currentFacts)
    },
  }
}
