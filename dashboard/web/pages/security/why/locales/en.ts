import type { FailureSetting } from '../../../../../../domain/playback-reports/explain-failure.ts'
import {
  FAILURE_TEXTS,
  type FailureText,
} from '../../../../../../domain/playback-reports/failure-texts.ts'
import type { PlaybackCause } from '../../../../../../domain/playback-reports/playback-causes.ts'

/** The words of the page that says why a video did not play. */
export const en = {
  title: 'Why did it not play?',
  intro:
    'Each page and message that keeps a video from playing shows a code. Ask the viewer to read it out.',
  code: 'Code',
  codeHint: 'Three groups of four characters. Capitals and dashes do not matter.',
  submit: 'Look up',
  invalid: 'A character is wrong or missing. Ask the viewer to read the code out once more.',
  emptyTitle: 'No code yet',
  emptyText:
    'With a code you see when it happened, on which site, in which browser, and the next step.',
  next: 'Next step',
  facts: 'What is known',
  unstored:
    'No report with this code is kept: it is older than 30 days, or one of many at the same time. This is what the code says by itself.',
  cause: 'Cause',
  time: 'Time',
  video: 'Video',
  deletedVideo: 'Deleted',
  viewer: 'Viewer',
  site: 'Site',
  browser: 'Browser',
  position: 'Position',
  errorCode: 'Player error',
  httpStatus: 'HTTP status',
  settings: {
    domains: 'Open the domains',
    viewer_tokens: 'Open watermark and signing secret',
    protection: 'Open the protection',
    viewers: 'Open revoked viewers',
    security_events: 'Open security events',
    quick_start: 'Open the quick start',
    embed: 'Open the embed code',
    video: 'Open the video',
  } satisfies Record<FailureSetting, string>,
  causes: FAILURE_TEXTS as Readonly<Record<PlaybackCause, FailureText>>,
}

export type WhyWords = typeof en
