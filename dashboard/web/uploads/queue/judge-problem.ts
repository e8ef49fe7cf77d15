import { OTHER_MEMBER, problemOf, type Problem } from '../../api/problem.ts'
import { FILE_UNREADABLE, type Delay } from './upload-item.ts'

/** What a problem means for an upload: it passes, the server has no such upload any more, or it ends the upload. */
export type Verdict =
  | { kind: 'passes'; delay: Delay }
  | { kind: 'gone'; failure: string }
  | { kind: 'ends'; failure: string }

/** The member of the page signs in again, and the upload continues. */
const SIGN_IN_CODES: readonly string[] = ['not_signed_in', OTHER_MEMBER]

/** Statuses of requests that came too early or too late. */
const PASSING_STATUSES: readonly number[] = [0, 408, 423, 425, 429]

/** Conflicts with another request, which the next attempt does not have. */
const PASSING_CODES: readonly string[] = [
  'upload_offset_mismatch',
  'upload_taken_over',
  'idempotency_key_in_use',
  'folder_exists',
]

/** Judges what `fetch`, the API or the address of the upload has thrown. */
export function judgeProblem(error: unknown): Verdict {
  const problem = problemOf(error)
  const { code, status } = problem
  if (SIGN_IN_CODES.includes(code)) return { kind: 'passes', delay: 'sign-in' }
  if (isOfAddress(problem)) return { kind: 'gone', failure: 'upload_not_found' }
  if (code !== FILE_UNREADABLE && PASSING_STATUSES.includes(status))
    return { kind: 'passes', delay: status === 0 ? 'network' : 'server' }
  if (status >= 500 || PASSING_CODES.includes(code)) return { kind: 'passes', delay: 'server' }
  return { kind: 'ends', failure: code }
}

const isOfAddress = ({ code, status }: Problem): boolean =>
  code === 'upload_not_found' || status === 410
