import type { ActivityDeps } from './deps.ts'
import { createEncodeAudio } from './encode-audio.ts'
import { createEncodeRung } from './encode-rung.ts'
import { ingestStep } from './ingest-step.ts'

/** What the `encode` task queue runs: one rendition an activity. */
export const createEncodeActivities = (deps: ActivityDeps) => ({
  encodeRung: ingestStep(createEncodeRung(deps)),
  encodeAudio: ingestStep(createEncodeAudio(deps)),
})

export type EncodeActivities = ReturnType<typeof createEncodeActivities>
