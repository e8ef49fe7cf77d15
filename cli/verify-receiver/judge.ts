import { causeText } from '../../domain/failure-causes.ts'
import type { DeliveryCheck, Expectation, Finding, ReceiverResponse } from './check.ts'

/** The expectation of a check, for the report. */
export const EXPECTED: Record<Expectation, string> = {
  accepted: '2xx in time',
  refused: '400',
  'no crash': 'any status below 500',
  anything: 'any response, reported only',
}

/** Judges the responses of one check. */
export function judge({ expects }: DeliveryCheck, responses: ReceiverResponse[]): Finding {
  const wrong = responses.filter((response) => !isFine(expects, response))
  if (wrong.length > 0) {
    const note = hintOf(expects, wrong)
    return { status: 'failed', got: summary(wrong, responses.length), ...(note && { note }) }
  }
  const isToTheLetter = expects !== 'refused' || responses.every(({ status }) => status === 400)
  return {
    status: 'held',
    got: summary(responses, responses.length),
    ...(!isToTheLetter && { note: 'the contract expects 400; this works too' }),
  }
}

/** These do not report a bad signature, and 410 would switch the endpoint off. */
const OTHER_REFUSALS = [408, 410, 429]

export const isAccepted = ({ status }: ReceiverResponse): boolean =>
  status !== null && status >= 200 && status < 300

function isFine(expects: Expectation, response: ReceiverResponse): boolean {
  const { status } = response
  if (expects === 'anything') return true
  if (status === null) return false
  if (expects === 'accepted') return isAccepted(response)
  if (expects === 'no crash') return status < 500
  return status >= 400 && status < 500 && !OTHER_REFUSALS.includes(status)
}

/** `200`, `timeout`, `302 to /login`. */
const shortForm = ({ status, errorCode, detail, location }: ReceiverResponse): string => {
  if (status === null) return [errorCode, detail === 'ETIMEDOUT' ? '' : detail].join(' ').trim()
  return location === null ? String(status) : `${status} to ${location}`
}

const SHOWN_MAX = 4

/** Summarizes the responses; names the deliveries if they differ. */
function summary(responses: ReceiverResponse[], totalCount: number): string {
  const all = responses.map((response) => ({ what: response.what, text: shortForm(response) }))
  const [first] = all
  if (first && totalCount === 1) return first.text
  if (first && all.length === totalCount && all.every((one) => one.text === first.text))
    return `${totalCount} × ${first.text}`
  const shown = all.slice(0, SHOWN_MAX).map((one) => `${one.what}: ${one.text}`)
  const left = all.length - shown.length
  return shown.join(', ') + (left > 0 ? ` and ${left} more` : '')
}

/** Returns a hint about the way it failed, or null if the check's own hint is better. */
function hintOf(expects: Expectation, wrong: ReceiverResponse[]): string | null {
  const isAll = (is: (response: ReceiverResponse) => boolean) => wrong.every(is)
  const known = causeTextOf(wrong)
  if (known !== null) return known
  if (isAll(({ status }) => status !== null && status >= 300 && status < 400 && status !== 304))
    return 'Redirects are not followed: respond at the URL itself, without a login in front of it.'
  if (isAll(({ errorCode }) => errorCode === 'timeout'))
    return 'No response in time: respond with 2xx first and work afterwards.'
  if (isAll(({ status }) => status === null))
    return 'No response: check whether the process crashed, or whether a proxy closed the connection.'
  if (expects === 'refused' && isAll(({ status }) => status !== null && status >= 500))
    return 'The receiver crashed instead of refusing: catch the errors of your verification and respond with 400.'
  return null
}

/** Returns cause and remedy of requests that failed alike; null if they differ, or it is not known. */
export function causeTextOf(responses: ReceiverResponse[]): string | null {
  const [first] = responses
  if (!first || first.cause === null) return null
  return responses.every(({ cause }) => cause === first.cause) ? causeText(first.cause) : null
}
