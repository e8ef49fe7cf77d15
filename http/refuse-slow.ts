import { isStatementTimeout } from '../db/errors.ts'
import { ApiError } from './api-error.ts'

/** Resolves to the result of a search. Throws 422 `query_too_broad` if the limit of all statements has ended it: the same call would not succeed in a moment. */
export async function refuseSlow<T>(search: Promise<T>): Promise<T> {
  try {
    return await search
  } catch (error) {
    throw isStatementTimeout(error) ? new ApiError('query_too_broad') : error
  }
}
