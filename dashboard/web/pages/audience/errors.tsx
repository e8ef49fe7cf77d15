import { isPlaybackCause } from '../../../../domain/playback-reports/playback-causes.ts'
import { TextLink } from '../../parts/links/links.tsx'
import { LongText } from '../../parts/text/long-text.tsx'
import { useWhyWords } from '../security/why/words.ts'
import classes from './audience.module.css'

/** What kept sessions from playing, in a sentence, with its code below; the code alone if it is no known cause. */
export function ErrorValue({ error }: { error: string }) {
  const { causes } = useWhyWords()
  if (!isPlaybackCause(error)) return <LongText isCode>{error}</LongText>
  const { message, next } = causes[error]
  return (
    <div className={classes.cause} title={next}>
      {message}
      <div>
        <code dir="ltr">{error}</code>
      </div>
    </div>
  )
}

/** Leads to the page that says why one viewer could not play. */
export function ErrorHelp({ account }: { account: string }) {
  const { title } = useWhyWords()
  return (
    <TextLink to="/accounts/$account/security/why" params={{ account }} size="sm">
      {title}
    </TextLink>
  )
}
