import { WebhookUrlError } from '../egress/check-webhook-url.ts'
import { SourceError } from '../egress/source-error.ts'
import { ApiError } from './api-error.ts'

/** What `check` of an integrator's link comes to; what lies with the link is refused under its own code. */
export async function refuseLink<T>(check: Promise<T>, param: string): Promise<T> {
  try {
    return await check
  } catch (error) {
    if (!(error instanceof SourceError) && !(error instanceof WebhookUrlError)) throw error
    throw new ApiError(error.code, { param, message: error.message })
  }
}
