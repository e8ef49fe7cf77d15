import { ApplicationFailure } from '@temporalio/common'
import { MediaError } from '../media/media-error.ts'

/** Codes that another try, perhaps on another machine, may mend. */
const WORTH_RETRYING = new Set(['verification_failed', 'aborted', 'stalled'])

/**
 * Passes a result on, and turns a MediaError into the failure that ends the video: its `type` is
 * the code, its message is what the integrator reads. Anything else is retried by the machinery.
 */
export async function asFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof MediaError && !WORTH_RETRYING.has(error.code))
      throw ApplicationFailure.nonRetryable(error.message, error.code)
    throw error
  }
}
