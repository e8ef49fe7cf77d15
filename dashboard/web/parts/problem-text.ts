import { OTHER_MEMBER, UNEXPECTED, UNREACHABLE, type Problem } from '../api/problem.ts'
import type { Words } from '../locales/en.ts'
import { interpolate } from '../locales/interpolate.ts'

/** What is not found at the address of a page. */
const OF_PAGES: readonly string[] = [
  'route_not_found',
  'video_not_found',
  'webhook_endpoint_not_found',
  'webhook_delivery_not_found',
]

/** Returns the cause of a problem and what to do about it. The server's message is in English. */
export function problemText(
  problem: Problem,
  { problems }: Words,
): { cause: string; advice: string } {
  if (problem.code === UNREACHABLE)
    return { cause: problems.unreachable, advice: problems.unreachableAdvice }
  if (problem.code === OTHER_MEMBER)
    return {
      cause: interpolate(problems.otherMember, { email: problem.signedInAs ?? '?' }),
      advice: problems.signedOutAdvice,
    }
  if (OF_PAGES.includes(problem.code))
    return { cause: problems.notFound, advice: problems.notFoundAdvice }
  if (problem.status === 404 && problem.code !== 'account_not_found')
    return {
      cause: problem.code === 'member_not_found' ? problems.memberGone : problems.gone,
      advice: problems.advice.conflict_error,
    }
  if (problem.code === 'drm_provider_not_configured')
    return { cause: problems.noDrmProvider, advice: problems.noDrmProviderAdvice }
  const advice = problems.advice[problem.kind]
  if (problem.code === UNEXPECTED || problem.message === '')
    return { cause: problems.unexpected, advice }
  return { cause: problem.message, advice }
}

/** What support needs to know, as lines. */
export const problemReport = (problem: Problem): string =>
  [
    `${problem.code} (HTTP ${problem.status})`,
    problem.message,
    `request ${problem.requestId ?? '-'}`,
    `${location.href} at ${new Date().toISOString()}`,
  ].join('\n')
