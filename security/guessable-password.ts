import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Passwords of this score or less are found within 100 million guesses. */
const GUESSABLE_SCORE = 2
/** The estimate of a longer text takes up to a second. Its beginning alone is hard enough to guess, or not. */
const ESTIMATED_MAX_LENGTH = 64
const PRODUCT = 'reelgate'

let estimator: ZxcvbnFactory | undefined

/** Opened with the first password: it holds 57,000 words. */
const openEstimator = (): ZxcvbnFactory =>
  (estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }))

/**
 * True if a password is one of the common ones or a variation of one, repeats or continues a pattern, or contains the
 * address of its member or the name of the product (NIST SP 800-63B, section 3.1.1.2).
 */
export function isGuessable(password: string, email: string): boolean {
  const text = password.normalize().toLowerCase()
  if (text.includes(PRODUCT) || text.includes(email)) return true
  const known = [email, ...email.split('@'), PRODUCT]
  const { score } = openEstimator().check(password.slice(0, ESTIMATED_MAX_LENGTH), known)
  return score <= GUESSABLE_SCORE
}
