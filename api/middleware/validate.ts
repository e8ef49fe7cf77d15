import type { z } from 'zod'
import { ApiError } from '../api-error.ts'

/**
 * Reads a body or a query by its schema (a strict object). A field that the endpoint does not
 * accept is 400 `unknown_parameter`, any other fault 422 `invalid_parameter`; both name the field.
 */
export function parse<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const result = schema.safeParse(input ?? {})
  if (result.success) return result.data
  const { issues } = result.error
  for (const issue of issues)
    if (issue.code === 'unrecognized_keys') {
      const param = [...issue.path, issue.keys[0]].join('.')
      throw new ApiError('unknown_parameter', {
        param,
        message: `This endpoint does not accept the field ${param}.`,
      })
    }
  const [first] = issues
  const param = first?.path.join('.') ?? ''
  const message = param === '' ? 'The body is not a JSON object.' : `${param}: ${first?.message}`
  throw new ApiError('invalid_parameter', param === '' ? { message } : { param, message })
}
