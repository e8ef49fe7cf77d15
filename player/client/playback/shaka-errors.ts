import { SESSION_ENDS } from '../../../domain/playback/playback-session.ts'
import type { MessageCode, ProblemFacts } from '../problems.ts'
import type { ShakaError } from './shaka.ts'

export const BAD_HTTP_STATUS = 1001
/** The network has too many viewers without a token; the next try may succeed. */
const TOO_MANY = 429

/** The numbers of an error of Shaka Player, or of the error that caused it, for the report. */
export function factsOf(error: unknown): ProblemFacts {
  const { code, data }: ShakaError = Object(error)
  const { code: causeCode, data: causeData }: ShakaError = Object(data?.[0])
  const status =
    code === BAD_HTTP_STATUS ? data?.[1] : causeCode === BAD_HTTP_STATUS ? causeData?.[1] : null
  return {
    ...(typeof code === 'number' && { error_code: code }),
    ...(typeof status === 'number' && status >= 100 && { http_status: status }),
  }
}

/** Tells a refused licence, by the code in the response, from a lost connection or a fault of the server. */
export function licenceMessage(cause: unknown): MessageCode {
  const { code, data }: ShakaError = Object(cause)
  const status = Number(data?.[1])
  if (code !== BAD_HTTP_STATUS || status === TOO_MANY || status >= 500) return 'network'
  const text = String(data?.[2])
  return SESSION_ENDS.find((end) => text.includes(`"${end}"`)) ?? 'licence_refused'
}
