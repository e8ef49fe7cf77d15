import { lazy, Suspense, useState } from 'react'
import { ChoicesButton } from './choices-button.tsx'
import classes from './data-table.module.css'

const TableChoicesPanel = lazy(async () => ({
  default: (await import('./table-choices-panel.tsx')).TableChoicesPanel,
}))

interface Props {
  /** The name of the table, under which its choices are kept. */
  name: string
  columns: readonly string[]
}

/** The button of the choices of a table: its columns, and how high its rows are. The panel is loaded when it is first opened. */
export function TableChoices(props: Props) {
  const [isWanted, setWanted] = useState(false)
  return (
    <div className={classes.choices}>
      {isWanted ? (
        <Suspense fallback={<ChoicesButton />}>
          <TableChoicesPanel {...props} />
        </Suspense>
      ) : (
        <ChoicesButton
          aria-haspopup="dialog"
          aria-expanded={false}
          onClick={() => setWanted(true)}
        />
      )}
    </div>
  )
}
