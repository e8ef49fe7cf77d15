import { Skeleton } from '@mantine/core'
import layout from '../../parts/layout.module.css'
import classes from './overview.module.css'

/** The shape of the page until it is known what it shows. */
export const Loading = () => (
  <div className={layout.stack} aria-hidden>
    <div className={classes.columns}>
      <LoadingCard rows={4} />
      <LoadingCard rows={3} />
    </div>
  </div>
)

const LoadingCard = ({ rows }: { rows: number }) => (
  <div className={layout.card}>
    <Skeleton height={18} width={140} />
    {Array.from({ length: rows }, (_, row) => (
      <Skeleton key={row} height={40} />
    ))}
  </div>
)
