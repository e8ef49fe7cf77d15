import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { apiOf, unwrap } from './client.ts'
import { textIn } from './cursors.ts'
import type { components } from './schema.ts'

export type AuditEntry = components['schemas']['AuditEntry']

type Actor = AuditEntry['actor']

/** What the log shows, as in its address. */
export interface AuditFilter {
  /** An actor as `member:3` or `key:5`, all keys as `key`, or `operator`. */
  who?: string
  action?: string
  subject?: string
  /** Only the last days. */
  days?: number
  after?: string
  before?: string
}

/** The ranges of time that can be chosen, in days. */
export const AUDIT_DAYS = [1, 7, 30, 90] as const

const DAY_MS = 86_400_000
const PAGE_LENGTH = 25
const KINDS = ['member', 'key', 'operator'] as const

/** The filter of an address; anything that it cannot mean is left out. */
export function auditFilter(search: Record<string, unknown>): AuditFilter {
  const { who, action, subject, days, after, before } = search
  return {
    who: typeof who === 'string' && actorIn(who) ? who : undefined,
    action: textIn(action),
    subject: textIn(subject),
    days: AUDIT_DAYS.find((one) => one === Number(days)),
    after: idOf(after),
    before: idOf(before),
  }
}

/** An actor as in the address. */
export const whoOf = ({ kind, id }: Actor): string => (id === null ? kind : `${kind}:${id}`)

function actorIn(who: string): { actor_kind: Actor['kind']; actor_id?: number } | null {
  const [name, id] = who.split(':')
  const kind = KINDS.find((one) => one === name)
  return kind ? { actor_kind: kind, actor_id: id === undefined ? undefined : Number(id) } : null
}

const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{1,16}$/.test(value) ? value : undefined

/** A page of the changes of the account, newest first. */
export const auditQuery = (account: string, filter: AuditFilter) =>
  queryOptions({
    queryKey: ['audit', account, filter],
    queryFn: ({ signal }) => {
      const { who, action, subject, days, after, before } = filter
      const since =
        days === undefined ? undefined : new Date(Date.now() - days * DAY_MS).toISOString()
      const page = {
        limit: PAGE_LENGTH,
        starting_after: after === undefined ? undefined : Number(after),
        ending_before: before === undefined ? undefined : Number(before),
      }
      const query = { ...(who && actorIn(who)), action, subject, since, ...page }
      return unwrap(apiOf(account).GET('/audit', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })
