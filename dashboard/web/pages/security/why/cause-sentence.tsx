import type { PlaybackCause } from '../../../../../domain/playback-reports/playback-causes.ts'
import { useWhyWords } from './words.ts'

/** What a viewer was told, with the one next step as a hint. */
export function CauseSentence({ cause }: { cause: PlaybackCause }) {
  const { message, next } = useWhyWords().causes[cause]
  return <span title={next}>{message}</span>
}

/** The title of the page that says why a video did not play. */
export function WhyTitle() {
  return useWhyWords().title
}
