import type { ActivityDeps } from './deps.ts'
import { createEncodeAudio } from './encode-audio.ts'
import { createEncodeRung } from './encode-rung.ts'
import { stoppable } from './stoppable.ts'

/** What the `encode` task queue runs: one rendition an activity. */
export const createEncodeActivities = (deps: ActivityDeps) => ({
  encodeRung: stoppable(createEncodeRung(deps)),
  encodeAudio: stoppable(createEncodeAudio(deps)),
})

export type EncodeActivities = ReturnType<typeof createEncodeActivities>
