import { z } from 'zod'
import { ApiError } from '../api-error.ts'
import type { Operation } from '../operation.ts'
import { deepQuery } from './deep-query.ts'

/** The body of an operation that takes none: an empty object is accepted too. */
const noBody = z.strictObject({})

/**
 * Parses the body of an operation with its schema, a strict object. Throws 400 `unknown_parameter` for a field that
 * the endpoint does not accept and 422 `invalid_parameter` for any other fault; both name the field.
 */
export function parseBody(
  { method, body: schema, fileMaxBytes }: Operation,
  body: unknown,
): unknown {
  if (method === 'get' || method === 'delete' || fileMaxBytes !== undefined) return undefined
  refuseProto(body)
  return parse(schema ?? noBody, body === undefined ? {} : body, {
    error: describeIssue,
    otherwise: 'The body is not a JSON object.',
  })
}

/** Names that callers choose are in objects as deep as the metadata of a line of an import. */
const NAMES_DEPTH = 3

/** A schema for names that callers choose drops this one silently. */
function refuseProto(body: unknown): void {
  const path = protoIn(body, 0)
  if (path !== null) throw unknownParameter(path)
}

/** Where an object below the body has `__proto__`; null if none has. */
function protoIn(value: unknown, depth: number): PropertyKey[] | null {
  if (typeof value !== 'object' || value === null) return null
  if (depth > 0 && Object.hasOwn(value, '__proto__')) return ['__proto__']
  if (depth === NAMES_DEPTH) return null
  // The keys of a long array one by one, because a body may have millions of them.
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const path = protoIn((value as Record<PropertyKey, unknown>)[name], depth + 1)
    if (path !== null) return [name, ...path]
  }
  return null
}

/** Parses the query of a list or a date range with its schema; throws the same two errors. */
export const parseQuery = (schema: z.ZodType, query: unknown): unknown =>
  parse(schema, deepQuery(schema, query), {
    error: describeQueryIssue,
    otherwise: 'The query cannot be read.',
  })

interface Words {
  error: typeof describeIssue
  /** The message if no field is at fault. */
  otherwise: string
}

function parse(schema: z.ZodType, input: unknown, { error, otherwise }: Words): unknown {
  const result = schema.safeParse(input, { error })
  if (result.success) return result.data
  const { issues } = result.error
  for (const issue of issues)
    if (issue.code === 'unrecognized_keys')
      throw unknownParameter([...issue.path, issue.keys[0] ?? ''])
  const [first] = issues
  if (!first || first.path.length === 0)
    throw new ApiError('invalid_parameter', { message: otherwise })
  const param = paramOf(first.path)
  throw new ApiError('invalid_parameter', { param, message: `\`${param}\` ${first.message}.` })
}

function unknownParameter(path: PropertyKey[]): ApiError {
  const param = paramOf(path)
  const message = `This endpoint does not accept \`${param}\`.`
  return new ApiError('unknown_parameter', { param, message })
}

/** Callers choose the names of their fields, so a name is shortened before it is shown. */
const PARAM_SHOWN_LENGTH = 100

const paramOf = (path: PropertyKey[]): string =>
  path.map(String).join('.').toWellFormed().slice(0, PARAM_SHOWN_LENGTH)

type Issue = z.core.$ZodRawIssue

/** Messages by the type that a schema expects. */
const TYPES: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
}

const FORMATS: Record<string, string> = {
  date: 'must be a date such as 2026-11-21',
  datetime: 'must be a time with a UTC offset, such as 2026-11-21T09:30:00Z',
}

/**
 * Describes what is wrong with a value in a phrase that follows its name: "must be a string". A message of the
 * schema (`refine`, `regex`) takes precedence.
 */
function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return TYPES[issue.expected] ?? 'is not usable'
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the right form'
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      if (issue.origin === 'array' && issue.minimum === 1) return 'must not be empty'
      return `must ${sizeVerb(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`
    case 'too_big':
      return `must ${sizeVerb(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return 'is not usable'
  }
}

/** The same for a query, where every value is text. A value of another type was sent more than once. */
const describeQueryIssue = (issue: Issue): string =>
  issue.code === 'invalid_type' && issue.expected === 'string' && issue.input !== undefined
    ? 'must be given once'
    : describeIssue(issue)

const sizeVerb = (origin: string): string => (['array', 'string'].includes(origin) ? 'have' : 'be')

const UNITS: Record<string, string> = { array: ' entries', string: ' characters' }
const unitOf = (origin: string): string => UNITS[origin] ?? ''
