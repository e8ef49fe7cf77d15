import { createHash } from 'node:crypto'
import { ApiError } from '../../../api/api-error.ts'
import type { Database } from '../../../db/database.ts'
import { openGuessWindow } from '../../../db/guess-limits.ts'
import { networkOf } from '../../../processes/network-of.ts'

/** An attempt to sign in, to confirm a password or to open a link. */
interface Guess {
  ip: string
  /** The e-mail address that was entered; null for the token of a link. */
  email: string | null
}

export interface GuessLimit {
  /** Counts a guess before it is checked. Throws `too_many_guesses` with Retry-After. */
  count: (guess: Guess) => Promise<void>
  /** Takes a guess back that was right. */
  accept: (guess: Guess) => Promise<void>
}

/**
 * Windows for one e-mail address from one network. The wait grows from a minute to a day. Guesses from
 * one network never delay the member on another network.
 */
const OF_EMAIL = [
  { attempts: 5, seconds: 60 },
  { attempts: 15, seconds: 900 },
  { attempts: 50, seconds: 86_400 },
]
/** Windows for one network, which may guess at many addresses. An office shares a network. */
const OF_NETWORK = [
  { attempts: 30, seconds: 60 },
  { attempts: 100, seconds: 3_600 },
  { attempts: 500, seconds: 86_400 },
]

/**
 * Opens the limit of guesses. A guess counts before its check, because simultaneous ones would
 * otherwise all pass before the first one counts.
 */
export function openGuessLimit(db: Database): GuessLimit {
  const ofEmail = OF_EMAIL.map((window) => openGuessWindow(db, window))
  const ofNetwork = OF_NETWORK.map((window) => openGuessWindow(db, window))
  const countersOf = ({ ip, email }: Guess) => {
    const network = networkOf(ip)
    const pair = createHash('sha256').update(`${network} ${email}`).digest('hex')
    return [
      ...ofNetwork.map((window) => ({ window, key: network })),
      ...(email === null ? [] : ofEmail.map((window) => ({ window, key: pair }))),
    ]
  }
  return {
    async count(guess) {
      // A guess that a short window refuses does not count in the longer ones.
      for (const { window, key } of countersOf(guess)) {
        const waitMs = await window.count(key)
        if (waitMs > 0)
          throw new ApiError('too_many_guesses', {
            headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
          })
      }
    },
    async accept(guess) {
      for (const { window, key } of countersOf(guess))
        await (ofEmail.includes(window) ? window.forget(key) : window.takeBack(key))
    },
  }
}
