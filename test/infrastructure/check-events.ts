import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type pg from 'pg'
import type { EventEnvelope } from '../../domain/webhooks/events.ts'
import { EVENT_CATALOG } from '../../views/webhooks/event-type.ts'
import { withClient } from './with-client.ts'

const ajv = new Ajv2020({ strict: true, allErrors: true })
// The package is CommonJS, and TypeScript types its default import as a module.
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
const validators = new Map<string, ValidateFunction>()

/**
 * Checks the body of an event, the exact bytes that a receiver gets, against the JSON Schema of its
 * type. Throws an Error that lists the differences.
 */
export function checkEvent(body: string): EventEnvelope {
  const complain = (what: string): never => {
    throw new Error(`no event that an integrator could expect: ${what} in ${body.slice(0, 500)}`)
  }
  const event = parse(body) as Partial<EventEnvelope> | null
  const entry = EVENT_CATALOG.find(({ type }) => type === event?.type)
  if (!entry) return complain('no known type')
  const validate = validators.get(entry.type) ?? ajv.compile(entry.jsonSchema)
  validators.set(entry.type, validate)
  if (!validate(event)) complain(ajv.errorsText(validate.errors))
  if (body !== JSON.stringify(event)) complain('more than compact JSON')
  return event as EventEnvelope
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

interface Row {
  id: string
  type: string
  body: string
  created_at: Date
}

/**
 * Checks every event of a database: its body against the JSON Schema that integrators read, and against
 * the columns with the same facts. Throws an Error that lists the wrong events. Accepts a database
 * without tables.
 */
export async function checkEvents(client: pg.Client): Promise<void> {
  const complaints = (await readEvents(client)).flatMap(complaintsOf)
  if (complaints.length > 0) throw new Error(`wrong events were written:\n${complaints.join('\n')}`)
}

/** Keeps copies of events that a test deletes or truncates, for `checkEvents`. */
export const keepRemovedEvents = (databaseUrl: string): Promise<void> =>
  withClient(databaseUrl, async (client) => {
    await client.query(`
      create schema test_services;
      create table test_services.removed_event as select * from event;
      create function test_services.keep_removed() returns trigger language plpgsql as $$
        begin
          if tg_op = 'TRUNCATE' then insert into test_services.removed_event select * from event;
          else insert into test_services.removed_event select old.*;
          end if;
          return old;
        end $$;
      create trigger keep_deleted before delete on event
        for each row execute function test_services.keep_removed();
      create trigger keep_truncated before truncate on event
        for each statement execute function test_services.keep_removed();`)
  })

async function readEvents(client: pg.Client): Promise<Row[]> {
  const rows: Row[] = []
  for (const table of ['event', 'test_services.removed_event']) {
    const found = await client.query('select to_regclass($1) is not null as exists', [table])
    if (!found.rows[0].exists) continue
    rows.push(...(await client.query(`select id, type, body, created_at from ${table}`)).rows)
  }
  return rows
}

function complaintsOf(row: Row): string[] {
  try {
    const { id, type, created_at: createdAt } = checkEvent(row.body)
    const says = { id, type, createdAtMs: Date.parse(createdAt) }
    const is = { id: row.id, type: row.type, createdAtMs: row.created_at.getTime() }
    const isSame = JSON.stringify(says) === JSON.stringify(is)
    return isSame ? [] : [`${row.id}: the columns say ${JSON.stringify(is)}, its body ${row.body}`]
  } catch (error) {
    return [`${row.id}: ${(error as Error).message}`]
  }
}
