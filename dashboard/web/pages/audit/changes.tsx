import { Code } from '@mantine/core'
import { isShortened, type ShortenedValue } from '../../../../domain/accounts/audit-bounds.ts'
import type { AuditEntry } from '../../api/audit.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { LongText } from '../../parts/text/long-text.tsx'
import classes from './audit.module.css'
import { useAuditWords } from './words.ts'

/** So many fields are shown at once; the others are folded. */
const SHOWN = 4

/** Longer texts are shown in one line, and as a whole when it is opened. */
const FOLDED_LENGTH = 200

/** The changed fields one by one, each with its value before and after. */
export function Changes({ entry: { before, after } }: { entry: AuditEntry }) {
  const words = useAuditWords()
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const row = (name: string) => <Change key={name} name={name} before={before} after={after} />
  const folded = names.slice(SHOWN)
  if (names.length === 0) return null
  return (
    <>
      <dl className={classes.changes}>{names.slice(0, SHOWN).map(row)}</dl>
      {folded.length > 0 && (
        <details className={classes.more}>
          <summary>
            {words.more}: {folded.length}
          </summary>
          <dl className={classes.changes}>{folded.map(row)}</dl>
        </details>
      )}
    </>
  )
}

type Fields = AuditEntry['before']

/** A value that was not there before, or is not there after, has no counterpart. */
function Change({ name, before, after }: { name: string; before: Fields; after: Fields }) {
  const words = useAuditWords()
  return (
    <>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>
        {before && (
          <del aria-label={words.before} className={classes.before}>
            <Value value={before[name]} />
          </del>
        )}
        {after && (
          <ins aria-label={words.after} className={classes.after}>
            <Value value={after[name]} />
          </ins>
        )}
      </dd>
    </>
  )
}

function Value({ value }: { value: unknown }) {
  const { yes, no, empty } = useAuditWords()
  if (isShortened(value)) return <Shortened value={value} />
  if (value === null || value === undefined || value === '') return <i>{empty}</i>
  if (typeof value === 'boolean') return value ? yes : no
  if (typeof value === 'string' && value.length > FOLDED_LENGTH) return <Folded value={value} />
  if (typeof value === 'string') return <bdi>{value}</bdi>
  return <Code>{JSON.stringify(value)}</Code>
}

function Shortened({ value: { count, ids = [] } }: { value: ShortenedValue }) {
  const { tooLong } = useAuditWords()
  return (
    <>
      <i>{interpolate(tooLong, { number: count })}</i>
      {ids.length > 0 && <Folded value={ids.join(' ')} />}
    </>
  )
}

const Folded = ({ value }: { value: string }) => (
  <details className={classes.folded}>
    <summary>
      <LongText>{value}</LongText>
    </summary>
    <bdi>{value}</bdi>
  </details>
)
