import { withoutSafeBounds } from '../../views/values.ts'

/** The keywords of a JSON Schema that are read here. */
interface JsonSchema {
  type?: string | string[]
  format?: string
  const?: unknown
  description?: string
  anyOf?: JsonSchema[]
  enum?: unknown[]
  properties?: object
  maximum?: number
}

/**
 * Writes a schema in the form that generators of clients read, without a change of what is valid:
 *
 * - a value or null has two types instead of a choice with `{"type": "null"}`, which some take for a class;
 * - an integer without an upper bound has the format `int64`, and a number `double`. Java and Go otherwise take 32 bits.
 *
 * A boolean with one value becomes a plain one: a client does not check it, and Java's does not compile.
 */
export function plainSchema({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  withSize(jsonSchema)
  withoutSafeBounds({ jsonSchema })
  withTwoTypes(jsonSchema)
  withoutConstantBoolean(jsonSchema)
}

/** Before the bounds of JavaScript's integers are removed. */
function withSize(schema: JsonSchema): void {
  const { type, maximum = Number.MAX_SAFE_INTEGER } = schema
  if (type === 'number') schema.format ??= 'double'
  if (type === 'integer' && maximum > INT32_MAX) schema.format ??= 'int64'
}

const INT32_MAX = 2 ** 31 - 1

function withTwoTypes(schema: JsonSchema): void {
  const [value, none, ...others] = schema.anyOf ?? []
  if (typeof value?.type !== 'string' || none?.type !== 'null' || others.length > 0) return
  if (value.enum || value.properties) return
  delete schema.anyOf
  Object.assign(schema, { ...value, ...schema, type: [value.type, 'null'] })
}

function withoutConstantBoolean(schema: JsonSchema): void {
  if (typeof schema.const !== 'boolean') return
  schema.description ??= `Always ${schema.const}.`
  delete schema.const
}
