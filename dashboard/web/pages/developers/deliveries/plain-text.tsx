import { CodeSnippet } from '../../../parts/text/code-snippet.tsx'
import classes from '../developers.module.css'

/** Characters that are not seen, but change what is: controls, and marks that turn the direction of text. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** Writes unseen characters as escapes, so that a text from outside looks like what it is. */
export const visibleText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })

/** A text from outside, as it is: never markup, and never turning the text around it. */
export const PlainText = ({ text, label }: { text: string; label: string }) => (
  <section className={classes.raw} aria-label={label}>
    <CodeSnippet code={visibleText(text)} label={label} />
  </section>
)
