import { z } from 'zod'

/** The error body (design, section 7). */
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
      code: z.string().meta({ description: 'What to test; it is never renamed.' }),
      message: z.string().meta({ description: 'For people; it may change.' }),
      param: z.string().optional().meta({ description: 'The field that the error is about.' }),
      request_id: z.string().meta({ description: 'Also in the Request-Id header.' }),
      doc_url: z.url().meta({ description: 'Where the code is explained.' }),
    }),
  })
  .meta({ id: 'Error' })
