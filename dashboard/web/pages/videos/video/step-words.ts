import type { VideoStep } from '../../../api/videos.ts'
import type { Words } from '../../../locales/en.ts'
import { interpolate } from '../../../locales/interpolate.ts'

/** Returns the name of a step of an ingest, as people say it. */
export function stepName(name: string, { progress }: Words): string {
  if (name === 'download' || name === 'prepare' || name === 'keys' || name === 'finish')
    return progress[name]
  const audio = /^audio-(\d+)$/.exec(name)
  return audio ? interpolate(progress.audio, { number: Number(audio[1]) + 1 }) : name
}

/** Returns the step to show for all: the first that runs, else the first that waits. */
export const currentStep = (steps: readonly VideoStep[]): VideoStep | undefined =>
  steps.find(({ stage }) => stage === 'running') ?? steps.find(({ stage }) => stage === 'waiting')
