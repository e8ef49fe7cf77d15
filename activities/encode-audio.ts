import { encodeAudio as encode } from '../media/encode-audio.ts'
import type { SourceFacts } from '../media/probe-source.ts'
import type { ActivityDeps } from './deps.ts'
import type { VideoInput } from './download-source.ts'
import type { AudioTrack } from './prepare-encoding.ts'
import { produceRendition } from './produce-rendition.ts'

export interface EncodeAudioInput extends VideoInput {
  facts: SourceFacts
  track: AudioTrack
  audioNames: string[]
}

/** One audio track of the source, encoded once for all rungs, to published segments. */
export function createEncodeAudio(deps: ActivityDeps) {
  return async function encodeAudio(input: EncodeAudioInput): Promise<void> {
    const { track, facts, audioNames } = input
    const source = facts.audio[track.position]
    if (!source) throw new Error('the plan names an audio track that the source does not have')
    const { language, title: label } = source
    const { name } = track
    await produceRendition(deps, {
      ...input,
      rendition: { kind: 'audio', name, trackType: 'AUDIO', language, label, audioNames },
      encode: (target) => encode({ ...target, facts, track: source }),
    })
  }
}
