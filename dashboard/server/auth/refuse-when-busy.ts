import { ApiError } from '../../../http/api-error.ts'
import { HashesBusy } from '../../../security/password.ts'

const RETRY_AFTER_SECONDS = 5

/** Does work that hashes a password; responds with 503 `sign_in_busy` if too many others are being hashed. */
export async function refuseWhenBusy<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof HashesBusy)) throw error
    throw new ApiError('sign_in_busy', { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } })
  }
}
