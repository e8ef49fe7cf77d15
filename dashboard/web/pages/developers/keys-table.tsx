import { Button, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { ApiKey } from '../../api/keys.ts'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { CodeChips } from './code-chips.tsx'
import classes from './developers.module.css'
import { RevokeKey } from './revoke-key.tsx'
import { useDeveloperWords } from './words.ts'

interface Props {
  account: string
  keys: ApiKey[]
}

/** The keys with what they may do and when they were used. Only their first characters are known. */
export function KeysTable({ account, keys }: Props) {
  const { keys: words } = useDeveloperWords()
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  return (
    <div className={classes.card}>
      <table className={classes.table} aria-label={words.title}>
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.scopes}</th>
            <th scope="col">{words.created}</th>
            <th scope="col">{words.used}</th>
            <th scope="col">
              <VisuallyHidden>{words.revoke}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoked(key)} />
          ))}
        </tbody>
      </table>
      {revoked && <RevokeKey account={account} apiKey={revoked} onClose={() => setRevoked(null)} />}
    </div>
  )
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { keys: words } = useDeveloperWords()
  const { name, hint, scopes, created_at: created, revoked_at: revoked } = apiKey
  return (
    <tr className={revoked === null ? undefined : classes.gone}>
      <td className={classes.main}>
        <div className={classes.name}>
          <bdi>{name}</bdi>
        </div>
        <div className={`${classes.under} ${classes.mono}`} dir="ltr">
          {hint}…
        </div>
        <div className={classes.narrow}>
          <CodeChips names={scopes} most={2} />
          <span>
            {words.used}: <LastUse apiKey={apiKey} />
          </span>
        </div>
      </td>
      <td className={classes.wide}>
        <CodeChips names={scopes} most={2} />
      </td>
      <td className={classes.wide}>
        <RelativeTime at={created} />
      </td>
      <td className={classes.wide}>
        <LastUse apiKey={apiKey} />
      </td>
      <td>
        {revoked === null ? (
          <Button size="compact-sm" variant="default" onClick={onRevoke}>
            {words.revoke}
          </Button>
        ) : (
          words.revoked
        )}
      </td>
    </tr>
  )
}

function LastUse({ apiKey: { last_used_at: used } }: { apiKey: ApiKey }) {
  const { keys: words } = useDeveloperWords()
  if (used === null) return <span className={classes.dimmed}>{words.never}</span>
  return <RelativeTime at={used} />
}
