import { rename } from 'node:fs/promises'
import type { Rung } from '../domain/ladder.ts'
import type { SourceFacts } from '../media/probe-source.ts'
import type { ActivityDeps } from './deps.ts'
import type { VideoInput } from './download-source.ts'
import { produceRendition } from './produce-rendition.ts'
import { createSharedEncode } from './shared-encode.ts'

export interface EncodeRungInput extends VideoInput {
  facts: SourceFacts
  rung: Rung
  /** Its encoder output is kept on this machine for the storyboard. */
  isFirst: boolean
  audioNames: string[]
}

/**
 * One rung from the source to published segments. Encoding and packaging are one activity because
 * what lies between them is the plain film: it stays on the machine that made it (docs/adr).
 */
export function createEncodeRung(deps: ActivityDeps) {
  const encode = createSharedEncode(deps.encodeProcesses)
  return async function encodeRung(input: EncodeRungInput): Promise<void> {
    const { rung, facts, isFirst, audioNames } = input
    const { name, trackType } = rung
    await produceRendition(deps, {
      ...input,
      rendition: { kind: 'video', name, trackType, language: null, label: null, audioNames },
      encode: (target) => encode({ ...target, facts, rung, isUrgent: isFirst }),
      async onPublished(outputPath, { previewPath }) {
        if (isFirst) await rename(outputPath, previewPath)
      },
    })
  }
}
