import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { AUDIT_ACTIONS } from '../../../../domain/accounts/audit-actions.ts'
import { AUDIT_DAYS, type AuditFilter } from '../../api/audit.ts'
import { membersQuery, type TeamMember } from '../../api/team.ts'
import { interpolate } from '../../locales/interpolate.ts'
import { Choice } from '../../parts/forms/choice.tsx'
import { SearchField } from '../../parts/forms/search-field.tsx'
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
      <Choice
        aria-label={words.columns.when}
        value={days}
        any={words.anyTime}
        options={AUDIT_DAYS.map((one) => [one, interpolate(words.lastDays, { number: one })])}
        onChoose={(chosen) => choose({ days: chosen })}
      />
    </div>
  )
}

/** Others are chosen by a click on their name in the log. */
const MOST_CHOICES = 100
const NO_MEMBERS: { data: TeamMember[] } = { data: [] }

function ActorChoice() {
  const words = useAuditWords()
  const { account } = route.useParams()
  const { who } = route.useSearch()
  const choose = useChoose()
  const { data: { data: members } = NO_MEMBERS } = useQuery(membersQuery(account, {}, MOST_CHOICES))
  const known: [string, string][] = [
    ...members.map(({ id, email }): [string, string] => [`member:${id}`, email]),
    ['key', words.kinds.key],
    ['operator', words.kinds.operator],
  ]
  // Chosen by a click on a name in the log.
  const isOther = who !== undefined && !known.some(([one]) => one === who)
  return (
    <Choice
      aria-label={words.columns.who}
      value={who}
      any={words.anyone}
      options={isOther ? [[who, who], ...known] : known}
      onChoose={(chosen) => choose({ who: chosen })}
    />
  )
}

function ActionChoice() {
  const words = useAuditWords()
  const { action } = route.useSearch()
  const choose = useChoose()
  const actions: string[] = [...AUDIT_ACTIONS]
  if (action !== undefined && !actions.includes(action)) actions.push(action)
  const named = actions.map((one): [string, string] => [one, actionText(one, words)])
  return (
    <Choice
      aria-label={words.columns.what}
      value={action}
      any={words.anything}
      options={named.toSorted(([, one], [, other]) => one.localeCompare(other))}
      onChoose={(chosen) => choose({ action: chosen })}
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
