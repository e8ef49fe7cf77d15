import { UNEXPECTED, UNREACHABLE } from '../api/problem.ts'
import type { Problem } from '../api/problem.ts'
import type { Words } from '../words/en.ts'

/** Returns the cause of a problem and what to do about it. The server's message is in English. */
export function problemText(
  problem: Problem,
  { problems }: Words,
): { cause: string; advice: string } {
  if (problem.code === UNREACHABLE)
    return { cause: problems.unreachable, advice: problems.unreachableAdvice }
  if (problem.status === 404 && problem.code !== 'account_not_found')
    return { cause: problems.notFound, advice: problems.notFoundAdvice }
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
