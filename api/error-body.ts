import { z } from 'zod'
import { ERRORS } from '../domain/error-codes.ts'
import type { ApiError } from './api-error.ts'

/** The error body (contract, "Errors"). */
export const errorSchema = z
  .strictObject({
    error: z.strictObject({
      type: z.enum([
        'authentication_error',
        'invalid_request_error',
        'conflict_error',
        'rate_limit_error',
        'api_error',
      ]),
      code: z.string().meta({ description: 'Stable identifier of the error, for programs.' }),
      message: z.string().meta({ description: 'Explanation for people; it may change.' }),
      param: z.string().optional().meta({ description: 'The field that the error is about.' }),
      request_id: z.string().meta({ description: 'Also in the Request-Id header.' }),
      doc_url: z.url().meta({ description: 'Where the code is explained.' }),
    }),
  })
  .meta({ id: 'Error' })

/** The error body of an answer. `apiBase` has no slash at its end. */
export const errorBody = (
  { code, message, param }: ApiError,
  requestId: string,
  apiBase: string,
): z.output<typeof errorSchema> => ({
  error: {
    type: ERRORS[code].type,
    code,
    message,
    // JSON leaves an undefined field out.
    param,
    request_id: requestId,
    doc_url: `${apiBase}/docs/errors#${code}`,
  },
})
