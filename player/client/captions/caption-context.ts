import type { Announcer } from '../controls/feedback.ts'
import type { Words } from '../locales/words.ts'
import type { PlayerContext } from '../player-context.ts'
import type { KeptCaptionStyle } from './caption-style.ts'
import type { ShownCaptions } from './shown-captions.ts'

/** What the captions and the panels about them share. */
export interface CaptionContext extends Pick<
  PlayerContext,
  'video' | 'container' | 'data' | 'session' | 'memory' | 'options'
> {
  words: Words
  announcer: Announcer
}

/** The captions of the video, for the panels about them. */
export interface Captions {
  tracks: readonly TextTrack[]
  /** The tracks as choices of a menu or a list: the value is the index of the track. */
  choices: readonly { value: string; text: string }[]
  shown: ShownCaptions
  style: KeptCaptionStyle
  /** The track that the viewer most likely wants. */
  preferred: TextTrack | undefined
}
