import { confirmationCount, confirmIdentity } from './elevation.ts'
import { problemOfAnswer } from './problem.ts'

/** For the answer that carries the new cookie, when another request has just replaced the old one. */
const COOKIE_WAIT_MS = 500

/**
 * Sends a request, and repeats it once in two cases. `not_signed_in`: a confirmation may have replaced the
 * session's cookie while the request was under way. `reauthentication_required`: the member is asked to
 * confirm who they are; if they cancel, that answer is returned.
 */
export async function fetchAsMember(account: string, request: Request): Promise<Response> {
  const countBefore = confirmationCount()
  let response = await fetch(request.clone())
  if ((await codeOf(response)) === 'not_signed_in') {
    await new Promise((resolve) => setTimeout(resolve, COOKIE_WAIT_MS))
    response = await fetch(request.clone())
  }
  if ((await codeOf(response)) !== 'reauthentication_required') return response
  return (await confirmIdentity(account, countBefore)) ? fetch(request) : response
}

/** The error code of a refusal; null for any other answer. */
async function codeOf(response: Response): Promise<string | null> {
  if (response.status !== 401 && response.status !== 403) return null
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return problemOfAnswer(body, response).code
}
