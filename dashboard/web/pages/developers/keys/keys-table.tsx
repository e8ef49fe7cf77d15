import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { ApiKey } from '../../../api/keys.ts'
import {
  Cell,
  DataTable,
  Folded,
  MainCell,
  RowNote,
  RowTitle,
} from '../../../parts/lists/data-table.tsx'
import { LongText } from '../../../parts/text/long-text.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { CodeChips } from '../code-chips.tsx'
import classes from '../developers.module.css'
import { useDeveloperWords } from '../words.ts'
import { RevokeKey } from './revoke-key.tsx'

interface Props {
  account: string
  keys: ApiKey[]
}

/** The keys with what they may do and when they were used. Only their first characters are known. */
export function KeysTable({ account, keys }: Props) {
  const { keys: words } = useDeveloperWords()
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  return (
    <>
      <DataTable
        label={words.title}
        columns={[words.name, words.scopes, words.created, words.used]}
        hasActions
      >
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoked(key)} />
        ))}
      </DataTable>
      {revoked && <RevokeKey account={account} apiKey={revoked} onClose={() => setRevoked(null)} />}
    </>
  )
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { keys: words } = useDeveloperWords()
  const { name, hint, scopes, created_at: created, revoked_at: revoked } = apiKey
  return (
    <tr data-gone={revoked !== null}>
      <MainCell>
        <RowTitle>
          <LongText>{name}</LongText>
        </RowTitle>
        <RowNote>
          <span className={classes.mono} dir="ltr" title={`${hint}…`}>
            {hint}…
          </span>
        </RowNote>
        <Folded>
          <CodeChips names={scopes} most={2} />
          <span>
            {words.used}: <LastUse apiKey={apiKey} />
          </span>
        </Folded>
      </MainCell>
      <Cell isFolded>
        <CodeChips names={scopes} most={2} />
      </Cell>
      <Cell isFolded>
        <RelativeTime at={created} />
      </Cell>
      <Cell isFolded>
        <LastUse apiKey={apiKey} />
      </Cell>
      <Cell>
        {revoked === null ? (
          <Button size="compact-sm" variant="default" onClick={onRevoke}>
            {words.revoke}
          </Button>
        ) : (
          words.revoked
        )}
      </Cell>
    </tr>
  )
}

function LastUse({ apiKey: { last_used_at: used } }: { apiKey: ApiKey }) {
  const { keys: words } = useDeveloperWords()
  if (used === null)
    return (
      <Text span inherit c="dimmed">
        {words.never}
      </Text>
    )
  return <RelativeTime at={used} />
}
