import type { Answer, DeliveryCheck, Expectation, Finding } from './check.ts'

/** What a check wants, for the report. */
export const EXPECTED: Record<Expectation, string> = {
  accepted: '2xx in time',
  refused: '400',
  'no crash': 'any status below 500',
  anything: 'told, not judged',
}

/** Holds the answers of one check against what it expects. */
export function judge({ expects }: DeliveryCheck, answers: Answer[]): Finding {
  const wrong = answers.filter((answer) => !isFine(expects, answer))
  if (wrong.length > 0) {
    const note = hintOf(expects, wrong)
    return { status: 'failed', got: summary(wrong, answers.length), ...(note && { note }) }
  }
  const isToTheLetter = expects !== 'refused' || answers.every(({ status }) => status === 400)
  return {
    status: 'held',
    got: summary(answers, answers.length),
    ...(!isToTheLetter && { note: 'the contract has 400 for it; this does as well' }),
  }
}

/** Not a word about the signature, and 410 would switch the endpoint off. */
const OTHER_REFUSALS = [408, 410, 429]

export const isAccepted = ({ status }: Answer): boolean =>
  status !== null && status >= 200 && status < 300

function isFine(expects: Expectation, answer: Answer): boolean {
  const { status } = answer
  if (expects === 'anything') return true
  if (status === null) return false
  if (expects === 'accepted') return isAccepted(answer)
  if (expects === 'no crash') return status < 500
  return status >= 400 && status < 500 && !OTHER_REFUSALS.includes(status)
}

/** `200`, `timeout`, `302 to /login`. */
const came = ({ status, errorCode, detail, location }: Answer): string => {
  if (status === null) return [errorCode, detail === 'ETIMEDOUT' ? '' : detail].join(' ').trim()
  return location === null ? String(status) : `${status} to ${location}`
}

const SHOWN_MAX = 4

/** What came of these answers; of which delivery, where the check has several and not all agree. */
function summary(answers: Answer[], ofAll: number): string {
  const all = answers.map((answer) => ({ what: answer.what, came: came(answer) }))
  const [first] = all
  if (first && ofAll === 1) return first.came
  if (first && all.length === ofAll && all.every((one) => one.came === first.came))
    return `${ofAll} × ${first.came}`
  const shown = all.slice(0, SHOWN_MAX).map((one) => `${one.what}: ${one.came}`)
  const left = all.length - shown.length
  return shown.join(', ') + (left > 0 ? ` and ${left} more` : '')
}

/** A hint for how it failed, where that says more than what failed. */
function hintOf(expects: Expectation, wrong: Answer[]): string | null {
  const isAll = (is: (answer: Answer) => boolean) => wrong.every(is)
  if (isAll(({ status }) => status !== null && status >= 300 && status < 400))
    return 'Redirects are not followed: answer at the URL itself, without a login in front of it.'
  if (isAll(({ errorCode }) => errorCode === 'timeout'))
    return 'There was no answer in time: answer 2xx first and work afterwards.'
  if (isAll(({ status }) => status === null))
    return 'There was no answer: look whether the process has crashed or something in front of it hung up.'
  if (expects === 'refused' && isAll(({ status }) => status !== null && status >= 500))
    return 'It was not accepted, but as a crash: catch what your verification throws and answer 400.'
  return null
}
