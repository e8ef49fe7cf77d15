import type {
  FailureText,
  FailureTexts,
} from '../../../../../../domain/playback-reports/failure-texts.ts'
import type { PlaybackCause } from '../../../../../../domain/playback-reports/playback-causes.ts'

/** What happened and the next step; then the same with facts in braces, if they differ. */
type CauseText = readonly [message: string, next: string, message?: string, next?: string]

export type CauseTexts = Readonly<Record<PlaybackCause, CauseText>>

/** The texts in the form of the domain's. */
export const textsOf = (texts: CauseTexts): FailureTexts =>
  // As entries of a record with the same names.
  Object.fromEntries(Object.entries(texts).map(([cause, text]) => [cause, textOf(text)])) as Record<
    PlaybackCause,
    FailureText
  >

function textOf([message, next, messageWithFacts, nextWithFacts]: CauseText): FailureText {
  return {
    message,
    next,
    ...(messageWithFacts !== undefined && { messageWithFacts }),
    ...(nextWithFacts !== undefined && { nextWithFacts }),
  }
}
