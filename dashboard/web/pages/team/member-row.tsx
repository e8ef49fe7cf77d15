import { ActionIcon, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ROLES, type Role } from '../../../../domain/accounts/roles.ts'
import { apiOf, unwrap } from '../../api/client.ts'
import { useIsOwner } from '../../api/me.ts'
import type { TeamMember } from '../../api/team.ts'
import { IconUserMinus } from '../../icons/icons.tsx'
import { interpolate } from '../../locales/interpolate.ts'
import { useWords } from '../../locales/words.tsx'
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { Choice } from '../../parts/forms/choice.tsx'
import { Cell } from '../../parts/lists/data-table.tsx'
import { notify } from '../../parts/notify.ts'
import { LongText } from '../../parts/text/long-text.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import classes from './team.module.css'
import { useTeamWords } from './words.ts'

interface Props {
  account: string
  member: TeamMember
  isMe: boolean
}

/** A member; owners change the role and take members out. */
export function MemberRow({ account, member, isMe }: Props) {
  const words = useTeamWords()
  const { columns } = words
  const { roles } = useWords().account
  const isOwner = useIsOwner(account)
  return (
    <tr>
      <Cell isWide>
        <div className={classes.member}>
          <span className={classes.initial} aria-hidden>
            {/^./u.exec(member.name || member.email)?.[0].toUpperCase()}
          </span>
          <div className={classes.names}>
            <div className={classes.name}>
              <LongText>{member.name || member.email}</LongText>
              {isMe && <span className={classes.you}>{words.you}</span>}
            </div>
            <Text size="xs" c="dimmed">
              <LongText>{member.email}</LongText>
            </Text>
          </div>
        </div>
      </Cell>
      <Cell label={columns.role}>
        {isOwner ? (
          <RoleChoice account={account} member={member} isMe={isMe} />
        ) : (
          roles[member.role]
        )}
      </Cell>
      <Cell label={columns.seen}>
        {member.last_seen_at === null ? words.never : <RelativeTime at={member.last_seen_at} />}
      </Cell>
      <Cell label={columns.joined}>
        <RelativeTime at={member.joined_at} />
      </Cell>
      {isOwner && (
        <Cell isCorner>
          <RemoveButton account={account} member={member} isMe={isMe} />
        </Cell>
      )}
    </tr>
  )
}

function RoleChoice({ account, member, isMe }: Props) {
  const words = useTeamWords()
  const { roles } = useWords().account
  const client = useQueryClient()
  const [asked, setAsked] = useState<Role | null>(null)
  const change = useMutation({
    mutationFn: (role: Role) => {
      const params = { path: { id: member.id } }
      return unwrap(apiOf(account).PATCH('/members/{id}', { params, body: { role } }))
    },
    async onSuccess({ role }) {
      setAsked(null)
      notify(interpolate(words.changed, { name: member.email, role: roles[role] }))
      await client.invalidateQueries({ queryKey: ['members', account] })
      if (isMe) await client.invalidateQueries({ queryKey: ['me', account] })
    },
  })
  const choose = (role: Role): void => (isMe ? setAsked(role) : change.mutate(role))
  return (
    <div>
      <Choice
        size="xs"
        miw="7.5rem"
        aria-label={interpolate(words.roleOf, { name: member.email })}
        value={change.isPending ? change.variables : member.role}
        disabled={change.isPending}
        options={ROLES.map((role) => [role, roles[role]])}
        onChoose={(role) => role && choose(role)}
      />
      {change.error && asked === null && <ErrorState error={change.error} />}
      {asked !== null && (
        <ConfirmDialog
          title={words.ownRole}
          submit={words.change}
          action={{ ...change, mutate: () => change.mutate(asked) }}
          onClose={() => setAsked(null)}
        >
          <Text size="sm">{words.ownRoleText}</Text>
        </ConfirmDialog>
      )}
    </div>
  )
}

function RemoveButton({ account, member, isMe }: Props) {
  const words = useTeamWords()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const remove = useMutation({
    mutationFn: () =>
      unwrap(apiOf(account).DELETE('/members/{id}', { params: { path: { id: member.id } } })),
    async onSuccess() {
      // The account is closed to the member from here on.
      if (isMe) return location.assign('/')
      setOpen(false)
      notify(interpolate(words.removed, { name: member.email }))
      await client.invalidateQueries({ queryKey: ['members', account] })
    },
  })
  const label = isMe ? words.leave : interpolate(words.remove, { name: member.email })
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
      >
        <IconUserMinus size={18} />
      </ActionIcon>
      {isOpen && (
        <ConfirmDialog
          title={isMe ? words.leaveTitle : words.removeTitle}
          submit={isMe ? words.leave : words.removeSubmit}
          action={remove}
          onClose={() => setOpen(false)}
        >
          <Text size="sm" fw={500}>
            <bdi>{member.email}</bdi>
          </Text>
          <Text size="sm">{isMe ? words.leaveText : words.removeText}</Text>
        </ConfirmDialog>
      )}
    </>
  )
}
