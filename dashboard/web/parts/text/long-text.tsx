import { VisuallyHidden } from '@mantine/core'
import { joinCopiedParts } from './copy-long-text.ts'
import classes from './long-text.module.css'

/** Shorter values fit everywhere, and have no tooltip. */
const MIN_HINT_LENGTH = 11
/** Shorter values are cut at their end, if at all. */
const MIN_CUT_LENGTH = 24
const TAIL_LENGTH = 5

/** Letters that join their neighbours lose their form at a cut between them. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mandaic}\p{Script=Nko}\p{Script=Mongolian}]/u

interface Props {
  /** The value; it cannot turn the text around it. */
  children: string
  /** The tooltip, if it says more than the value; null if an element around this one has it. */
  hint?: string | null
  /** True for values of code, which read from left to right. */
  isCode?: boolean
}

document.addEventListener('copy', joinCopiedParts)

/**
 * A value in one line, as wide as its place. What does not fit is cut in the middle, because ids and addresses often
 * differ only at their ends; the tooltip has the whole, and so has a copy. In a cell of a narrow screen, which has no
 * tooltips, the value wraps instead.
 */
export function LongText({ children: value, hint = value, isCode = false }: Props) {
  const [head, tail] = partsOf(value)
  const isShort = value.length < MIN_HINT_LENGTH && hint === value
  return (
    <span className={classes.long} data-long-text title={isShort ? undefined : (hint ?? undefined)}>
      <bdi dir={isCode ? 'ltr' : undefined} aria-hidden={tail === '' ? undefined : true}>
        <span className={classes.head}>{head}</span>
        {tail !== '' && <span className={classes.tail}>{tail}</span>}
      </bdi>
      {/* Screen readers would read the parts one by one. */}
      {tail !== '' && (
        <VisuallyHidden component="bdi" className={classes.whole}>
          {value}
        </VisuallyHidden>
      )}
    </span>
  )
}

/** The beginning, which may be cut, and the end, which is always shown; no end for values that are cut at theirs. */
function partsOf(value: string): [head: string, tail: string] {
  const characters = Array.from(value)
  if (characters.length < MIN_CUT_LENGTH || JOINING.test(value)) return [value, '']
  let at = characters.length - TAIL_LENGTH
  // Not between a letter and its marks, nor at a space, which the parts would lose.
  const isInside = (index: number): boolean =>
    /^[\p{M}\p{Emoji_Modifier}\u200D\s]$/u.test(characters[index] ?? '') ||
    /[\u200D\s]/u.test(characters[index - 1] ?? '')
  while (at > 1 && isInside(at)) at -= 1
  return [characters.slice(0, at).join(''), characters.slice(at).join('')]
}
