import classes from './developers.module.css'

interface Props {
  names: readonly string[]
  /** How many are shown; the others are counted, and named on hover. */
  most?: number
}

/** Names from code, such as types of events or scopes. */
export const CodeChips = ({ names, most = names.length }: Props) => (
  <span className={classes.chips} title={names.join('\n')} dir="ltr">
    {names.slice(0, most).map((name) => (
      <code key={name} className={classes.chip}>
        {name}
      </code>
    ))}
    {names.length > most && <span className={classes.chip}>+{names.length - most}</span>}
  </span>
)
