import { z } from 'zod'

const NAME_IN_BRACKETS = /^([a-z_]+)\[([^[\]]{1,200})\]$/

/**
 * The query of a request in the form of its schema: `metadata[course]=7` becomes an entry of a record, and a value that is given once
 * becomes a list where the schema has one. What has no place in the schema stays as it is, and is refused.
 */
export function deepQuery(schema: z.ZodType, query: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof query !== 'object' || query === null) return query
  const { shape } = schema
  const entries = new Map<string, unknown>()
  const records = new Map<string, Map<string, unknown>>()
  for (const [name, value] of Object.entries(query)) {
    const [, record = '', key = ''] = NAME_IN_BRACKETS.exec(name) ?? []
    if (key !== '' && key !== '__proto__' && isOf(shape[record], z.ZodRecord))
      records.set(record, (records.get(record) ?? new Map<string, unknown>()).set(key, value))
    else if (typeof value === 'string' && isOf(shape[name], z.ZodArray)) entries.set(name, [value])
    else entries.set(name, value)
  }
  for (const [name, record] of records) entries.set(name, Object.fromEntries(record))
  return Object.fromEntries(entries)
}

type SchemaClass = typeof z.ZodRecord | typeof z.ZodArray

function isOf(schema: unknown, kind: SchemaClass): boolean {
  if (schema instanceof z.ZodOptional) return isOf(schema.unwrap(), kind)
  return schema instanceof kind
}
