import { z } from 'zod'
import { listAuditEntries } from '../../../db/accounts/audit.ts'
import { ACTOR_KINDS } from '../../../domain/accounts/audit.ts'
import { listQuery, numberAsText, rowIdInQuery, toPage } from '../../../http/list.ts'
import { operation } from '../../../http/operation.ts'
import { instant, text } from '../../../http/text.ts'
import { auditEntryListSchema, auditEntryView } from '../../../views/accounts/audit-entry.ts'
import { listView } from '../../../views/list.ts'

const FILTER_MAX_LENGTH = 100

// The log grows beyond the range of a row id.
const entryIdInQuery = numberAsText(z.int().min(1), { minimum: 1 })

const list = operation({
  id: 'listAuditEntries',
  method: 'get',
  path: '/audit',
  tag: 'Audit log',
  summary: 'List the changes of the account, newest first',
  description:
    'A page has fewer items than `limit` if they are long: `has_more` says whether others follow.',
  scope: 'audit:read',
  query: listQuery(entryIdInQuery, {
    action: text({ maxLength: FILTER_MAX_LENGTH, example: 'settings.update' }).optional(),
    subject: text({ maxLength: FILTER_MAX_LENGTH }).optional(),
    actor_kind: z.enum(ACTOR_KINDS).optional(),
    actor_id: rowIdInQuery.optional(),
    since: instant('Changes at or after this time.').optional(),
    until: instant('Changes before this time.').optional(),
  }),
  status: 200,
  response: auditEntryListSchema,
  async handle({ deps, accountId, query }) {
    const filter = {
      accountId,
      action: query.action,
      subject: query.subject,
      actorKind: query.actor_kind,
      actorId: query.actor_id,
    }
    const page = await listAuditEntries(deps.db.em.fork(), filter, query, toPage(query))
    return listView(page, auditEntryView, '/audit')
  },
})

export const auditOperations = [list]
