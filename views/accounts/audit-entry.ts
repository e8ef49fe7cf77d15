import { z } from 'zod'
import type { AuditEntry } from '../../db/entities/member.ts'
import { ACTOR_KINDS } from '../../domain/accounts/audit.ts'
import { isoUtc } from '../../domain/timestamps.ts'
import { listSchema } from '../list.ts'
import { rowId, timestamp } from '../values.ts'

const SHORTENED =
  'Of a list of rows the ones that differ. A value that is too long is `{"shortened": true, "count": 500}`: its items, fields or characters; a list of videos also has their `ids`.'

const fields = (description: string) =>
  z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: `${description} ${SHORTENED}` })

/** One change of the record. */
const auditEntrySchema = z
  .strictObject({
    id: z.int().min(1),
    object: z.literal('audit_entry'),
    actor: z.strictObject({
      kind: z.enum(ACTOR_KINDS),
      id: rowId.nullable().meta({ description: 'Of the member or the key; null: the operator.' }),
      name: z.string(),
    }),
    action: z.string().meta({ example: 'settings.update' }),
    subject: z.string().meta({ description: 'The id of what was changed; may be empty.' }),
    before: fields('The changed fields before the change; null if there was nothing.'),
    after: fields('The changed fields after it; null if nothing is left.'),
    request_id: z.string().nullable(),
    created_at: timestamp('When it was changed.'),
  })
  .meta({ id: 'AuditEntry' })

export const auditEntryListSchema = listSchema(auditEntrySchema).meta({ id: 'AuditEntryList' })

/** One change of the record. */
export const auditEntryView = (entry: AuditEntry): z.output<typeof auditEntrySchema> => ({
  id: entry.id,
  object: 'audit_entry',
  actor: { kind: entry.actorKind, id: entry.actorId, name: entry.actorName },
  action: entry.action,
  subject: entry.subject,
  before: entry.before,
  after: entry.after,
  request_id: entry.requestId,
  created_at: isoUtc(entry.createdAt),
})
