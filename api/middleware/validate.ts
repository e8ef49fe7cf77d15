import { z } from 'zod'
import { ApiError } from '../api-error.ts'
import type { Operation } from '../operation.ts'
import { describeIssue, describeQueryIssue } from './describe-issue.ts'

/** Of an operation that takes no body: an empty object is as good as none. */
const noBody = z.strictObject({})

/**
 * Reads the body of an operation by its schema (a strict object). A field that the endpoint does
 * not accept is 400 `unknown_parameter`, any other fault 422 `invalid_parameter`; both name the field.
 */
export function parseBody({ method, body: schema }: Operation, body: unknown): unknown {
  if (method === 'get' || method === 'delete') return undefined
  return parse(schema ?? noBody, body === undefined ? {} : body, {
    error: describeIssue,
    otherwise: 'The body is not a JSON object.',
  })
}

/** Reads the query of a list or a date range by its schema, with the same two errors. */
export const parseQuery = (schema: z.ZodType, query: unknown): unknown =>
  parse(schema, query, { error: describeQueryIssue, otherwise: 'The query cannot be read.' })

interface Words {
  error: typeof describeIssue
  /** Where no field is at fault. */
  otherwise: string
}

function parse(schema: z.ZodType, input: unknown, { error, otherwise }: Words): unknown {
  const result = schema.safeParse(input, { error })
  if (result.success) return result.data
  const { issues } = result.error
  for (const issue of issues)
    if (issue.code === 'unrecognized_keys') {
      const param = paramOf([...issue.path, issue.keys[0] ?? ''])
      throw new ApiError('unknown_parameter', {
        param,
        message: `This endpoint does not accept \`${param}\`.`,
      })
    }
  const [first] = issues
  if (!first || first.path.length === 0)
    throw new ApiError('invalid_parameter', { message: otherwise })
  const param = paramOf(first.path)
  throw new ApiError('invalid_parameter', { param, message: `\`${param}\` ${first.message}.` })
}

/** What the caller named a field: theirs to choose, so it is shortened. */
const PARAM_SHOWN_LENGTH = 100

const paramOf = (path: PropertyKey[]): string =>
  path.map(String).join('.').toWellFormed().slice(0, PARAM_SHOWN_LENGTH)
