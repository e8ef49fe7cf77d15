import { lazy, Suspense } from 'react'
import { isPlaybackCause } from '../../../../domain/playback-reports/playback-causes.ts'
import { TextLink } from '../../parts/links/links.tsx'
import { LongText } from '../../parts/text/long-text.tsx'
import classes from './audience.module.css'

// The sentences of all causes are as long as the rest of the page, which mostly has no errors.
const loadSentences = () => import('../security/why/cause-sentence.tsx')
const CauseSentence = lazy(async () => ({ default: (await loadSentences()).CauseSentence }))
const WhyTitle = lazy(async () => ({ default: (await loadSentences()).WhyTitle }))

/** What kept sessions from playing, in a sentence, with its code below; the code alone if it is no known cause. */
export function ErrorValue({ error }: { error: string }) {
  if (!isPlaybackCause(error)) return <LongText isCode>{error}</LongText>
  return (
    <div className={classes.cause}>
      <Suspense>
        <CauseSentence cause={error} />
      </Suspense>
      <div>
        <code dir="ltr">{error}</code>
      </div>
    </div>
  )
}

/** Leads to the page that says why one viewer could not play. */
export const ErrorHelp = ({ account }: { account: string }) => (
  <Suspense>
    <TextLink to="/accounts/$account/security/why" params={{ account }} size="sm">
      <WhyTitle />
    </TextLink>
  </Suspense>
)
