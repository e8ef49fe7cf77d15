import { ERRORS } from '../domain/error-codes.ts'
import type { ApiError } from './api-error.ts'

/** The error body of design.md, section 7. `apiBase` has no slash at its end. */
export function errorBody(error: ApiError, requestId: string, apiBase: string) {
  return {
    error: {
      type: ERRORS[error.code].type,
      code: error.code,
      message: error.message,
      ...(error.param === undefined ? {} : { param: error.param }),
      request_id: requestId,
      doc_url: `${apiBase}/docs/errors#${error.code}`,
    },
  }
}
