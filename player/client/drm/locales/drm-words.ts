import type { DrmProblem } from '../../problems.ts'
import type { Obstacle } from '../obstacles.ts'

/** The words of Multi-DRM in one language. Pages of other videos do not load them. */
export interface DrmWords {
  /** Each says what happened and what the viewer can do. */
  messages: Record<DrmProblem, string>
  /** Why a quality is not offered, beside its name. */
  obstacles: Record<Obstacle, string>
}
