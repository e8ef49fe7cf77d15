import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { overviewQuery } from '../api/overview.ts'
import { useWords } from '../locales/words.tsx'
import { useFormats } from '../parts/text/formats.ts'
import classes from './shell.module.css'

/** The limits of the plan of which at least 90 % is used. It asks with the first page, and not on its own later. */
export function NearlyUsed({ account }: { account: string }) {
  const { limits } = useWords()
  const { percent } = useFormats()
  const { data } = useQuery(overviewQuery(account))
  const nearly = data?.plan?.nearly_used ?? []
  if (nearly.length === 0) return null
  return (
    <Link to="/accounts/$account/usage" params={{ account }} className={classes.nearlyUsed}>
      {nearly.map(({ limit, share }) => (
        <span key={limit}>
          <span>{limits[limit]}</span>
          <span>{percent(share)}</span>
          <Progress
            className={classes.nearlyBar}
            value={Math.min(100, share * 100)}
            size="xs"
            color="orange"
            aria-hidden
          />
        </span>
      ))}
    </Link>
  )
}
