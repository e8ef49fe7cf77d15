import { Button, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiOf, unwrap } from '../../api/client.ts'
import { useIsOwner } from '../../api/me.ts'
import { invitationsQuery, type Invitation } from '../../api/team.ts'
import { useWords } from '../../locales/words.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { Cell, DataTable, TableSkeleton } from '../../parts/lists/data-table.tsx'
import { notify } from '../../parts/notify.ts'
import { Section } from '../../parts/section.tsx'
import { useFormats } from '../../parts/text/formats.ts'
import { LongText } from '../../parts/text/long-text.tsx'
import { useNow } from '../../parts/text/now.ts'
import classes from './team.module.css'
import { useTeamWords } from './words.ts'

/** The links that were given and not used yet. */
export function Invitations({ account }: { account: string }) {
  const { invitations: words } = useTeamWords()
  const { data: invitations, error, refetch } = useQuery(invitationsQuery(account))
  const isOwner = useIsOwner(account)
  const headings = [words.for, words.role, words.by, words.expires]
  return (
    <Section title={words.title} className={classes.section}>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!invitations && !error && <TableSkeleton rows={1} />}
      {invitations?.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.none}
        </Text>
      )}
      {invitations !== undefined && invitations.length > 0 && (
        <DataTable label={words.title} columns={headings} hasActions={isOwner}>
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} account={account} invitation={invitation} />
          ))}
        </DataTable>
      )}
    </Section>
  )
}

function InvitationRow({ account, invitation }: { account: string; invitation: Invitation }) {
  const { invitations: words } = useTeamWords()
  const { roles } = useWords().account
  const { relative, exact } = useFormats()
  const now = useNow()
  const isOwner = useIsOwner(account)
  const expiresAt = Date.parse(invitation.expires_at)
  return (
    <tr>
      <Cell label={words.for} isWide>
        {invitation.email === null ? words.anyone : <LongText>{invitation.email}</LongText>}
      </Cell>
      <Cell label={words.role}>{roles[invitation.role]}</Cell>
      <Cell label={words.by}>
        <LongText>{invitation.invited_by}</LongText>
      </Cell>
      <Cell label={words.expires}>
        <time dateTime={invitation.expires_at} title={exact(expiresAt)}>
          {relative(expiresAt, now)}
        </time>
      </Cell>
      {isOwner && (
        <Cell>
          <WithdrawButton account={account} id={invitation.id} />
        </Cell>
      )}
    </tr>
  )
}

function WithdrawButton({ account, id }: { account: string; id: number }) {
  const { invitations: words } = useTeamWords()
  const client = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () =>
      unwrap(apiOf(account).DELETE('/invitations/{id}', { params: { path: { id } } })),
    async onSuccess() {
      notify(words.withdrawn)
      await client.invalidateQueries({ queryKey: ['invitations', account] })
    },
  })
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={withdraw.isPending}
        onClick={() => withdraw.mutate()}
      >
        {words.withdraw}
      </Button>
      {withdraw.error && <ErrorState error={withdraw.error} />}
    </>
  )
}
