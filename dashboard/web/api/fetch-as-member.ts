import { nameMember } from './connection.ts'
import { confirmationCount, confirmIdentity } from './elevation.ts'
import { problemFromResponse } from './problem.ts'

/** For the response that carries the new cookie, when another request has just replaced the old one. */
const COOKIE_WAIT_MS = 500

/** How often, and for how long, a repeated POST asks for the response to the first. The server waits 60 s for that one. */
const REPEAT_WAIT_MS = 2_000
const REPEATS_MAX = 35

/**
 * Sends a request, and repeats it in three cases. `not_signed_in`, once: a confirmation or a new password may have replaced the
 * session's cookie while the request was under way. `reauthentication_required`, once: the member is asked to
 * confirm who they are; if they cancel, that response is returned. `idempotency_key_in_use`: the same request was
 * sent before and may still be running, so its response is waited for.
 */
export async function fetchAsMember(account: string, request: Request): Promise<Response> {
  const countBefore = confirmationCount()
  nameMember(request)
  let response = await fetch(request.clone())
  if ((await codeOf(response)) === 'not_signed_in') {
    await new Promise((resolve) => setTimeout(resolve, COOKIE_WAIT_MS))
    response = await fetch(request.clone())
  }
  if ((await codeOf(response)) === 'reauthentication_required')
    return (await confirmIdentity(account, countBefore)) ? fetch(request) : response
  for (let repeats = 0; repeats < REPEATS_MAX; repeats += 1) {
    if ((await codeOf(response)) !== 'idempotency_key_in_use') break
    await new Promise((resolve) => setTimeout(resolve, REPEAT_WAIT_MS))
    response = await fetch(request.clone())
  }
  return response
}

/** The error code of a refusal; null for any other response. */
async function codeOf(response: Response): Promise<string | null> {
  if (![401, 403, 409].includes(response.status)) return null
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return problemFromResponse(body, response).code
}
