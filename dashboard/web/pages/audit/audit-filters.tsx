import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { AUDIT_ACTIONS } from '../../../../domain/accounts/audit-actions.ts'
import { AUDIT_DAYS } from '../../api/audit.ts'
import type { AuditFilter } from '../../api/audit.ts'
import { membersQuery } from '../../api/team.ts'
import type { TeamMember } from '../../api/team.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { fill } from '../../words/fill.ts'
import { actionText } from './action-text.ts'
import classes from './audit.module.css'
import { useAuditWords } from './words.ts'

const route = getRouteApi('/accounts/$account/audit')

/** Who, what, when and of which object. All of them are in the address; a changed one begins at the newest page. */
export function AuditFilters() {
  const words = useAuditWords()
  const { days, subject = '' } = route.useSearch()
  const choose = useChoose()
  const search = useCallback(
    (text: string | undefined) => choose({ subject: text?.trim() }, true),
    [choose],
  )
  return (
    <div className={classes.filters}>
      <SearchField
        className={classes.search}
        label={words.subject}
        value={subject}
        onSearch={search}
      />
      <ActorChoice />
      <ActionChoice />
      <NativeSelect
        aria-label={words.columns.when}
        value={days ?? ''}
        onChange={({ currentTarget }) => choose({ days: Number(currentTarget.value) || undefined })}
      >
        <option value="">{words.anyTime}</option>
        {AUDIT_DAYS.map((one) => (
          <option key={one} value={one}>
            {fill(words.lastDays, { number: one })}
          </option>
        ))}
      </NativeSelect>
    </div>
  )
}

/** Others are chosen by a click on their name in the log. */
const MOST_CHOICES = 100
const NO_MEMBERS: { data: TeamMember[] } = { data: [] }

function ActorChoice() {
  const words = useAuditWords()
  const { account } = route.useParams()
  const { who = '' } = route.useSearch()
  const choose = useChoose()
  const { data: { data: members } = NO_MEMBERS } = useQuery(membersQuery(account, {}, MOST_CHOICES))
  const known = ['', 'key', 'operator', ...members.map(({ id }) => `member:${id}`)]
  return (
    <NativeSelect
      aria-label={words.columns.who}
      value={who}
      onChange={({ currentTarget }) => choose({ who: currentTarget.value || undefined })}
    >
      <option value="">{words.anyone}</option>
      {/* Chosen by a click on a name in the log. */}
      {!known.includes(who) && <option value={who}>{who}</option>}
      {members.map(({ id, email }) => (
        <option key={id} value={`member:${id}`}>
          {email}
        </option>
      ))}
      <option value="key">{words.kinds.key}</option>
      <option value="operator">{words.kinds.operator}</option>
    </NativeSelect>
  )
}

function ActionChoice() {
  const words = useAuditWords()
  const { action = '' } = route.useSearch()
  const choose = useChoose()
  const actions: string[] = [...AUDIT_ACTIONS]
  if (action !== '' && !actions.includes(action)) actions.push(action)
  const named = actions
    .map((value) => ({ value, label: actionText(value, words) }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  return (
    <NativeSelect
      aria-label={words.columns.what}
      value={action}
      onChange={({ currentTarget }) => choose({ action: currentTarget.value || undefined })}
      data={[{ value: '', label: words.anything }, ...named]}
    />
  )
}

/** Changes a part of the filter in the address. */
function useChoose() {
  const navigate = route.useNavigate()
  return useCallback(
    (change: AuditFilter, replace = false): void => {
      const first = { after: undefined, before: undefined }
      void navigate({ search: (now) => ({ ...now, ...change, ...first }), replace })
    },
    [navigate],
  )
}
