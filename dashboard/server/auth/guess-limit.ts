import { createHash } from 'node:crypto'
import type { Database } from '../../../db/database.ts'
import { openGuessWindow, type GuessWindow } from '../../../db/members/write-guess-limits.ts'
import { ApiError } from '../../../http/api-error.ts'
import { networkOf, networksOf } from '../../../processes/network-of.ts'

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
  /** Counts a challenge for a passkey. Throws as `count`. It is never taken back: its response may come from elsewhere. */
  countChallenge: (ip: string) => Promise<void>
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
/** Windows for the challenges that one network requests. A guess follows each, so they only bound the work. */
const OF_CHALLENGES = [
  { attempts: 60, seconds: 60 },
  { attempts: 1_000, seconds: 3_600 },
]

/**
 * The networks that an IPv6 address counts for, by their bytes, and by what factor each may guess more. A customer of
 * a provider has at least a /64, often a /56 or a /48, whose 65,536 networks would otherwise guess as many times.
 */
const NETWORKS = [
  { bytes: 8, factor: 1 },
  { bytes: 7, factor: 3 },
  { bytes: 6, factor: 10 },
]
const NETWORK_BYTES = NETWORKS.map(({ bytes }) => bytes)

interface Counter {
  window: GuessWindow
  key: string
  /** Whether it counts guesses at one e-mail address. */
  isOfEmail: boolean
}

/**
 * Opens the limit of guesses. A guess counts before its check, because simultaneous ones would
 * otherwise all pass before the first one counts.
 */
export function openGuessLimit(db: Database): GuessLimit {
  const open = (windows: typeof OF_EMAIL, factor = 1) =>
    windows.map(({ attempts, seconds }) =>
      openGuessWindow(db, { attempts: attempts * factor, seconds }),
    )
  const ofChallenges = open(OF_CHALLENGES)
  const windowsOf = NETWORKS.map(({ factor }) => ({
    network: open(OF_NETWORK, factor),
    email: open(OF_EMAIL, factor),
  }))
  const countersOf = ({ ip, email }: Guess): Counter[] =>
    networksOf(ip, NETWORK_BYTES).flatMap((network, index) => {
      const ofNetwork = windowsOf[index]?.network ?? []
      const ofEmail = (email !== null && windowsOf[index]?.email) || []
      const pair = createHash('sha256').update(`${network} ${email}`).digest('hex')
      return [
        ...ofNetwork.map((window) => ({ window, key: network, isOfEmail: false })),
        ...ofEmail.map((window) => ({ window, key: pair, isOfEmail: true })),
      ]
    })
  return {
    count: (guess) => countIn(countersOf(guess)),
    async accept(guess) {
      for (const { window, key, isOfEmail } of countersOf(guess))
        await (isOfEmail ? window.forget(key) : window.takeBack(key))
    },
    async countChallenge(ip) {
      const key = `challenge ${networkOf(ip)}`
      await countIn(ofChallenges.map((window) => ({ window, key })))
    },
  }
}

/** A guess that a short window or a small network refuses does not count in the longer and larger ones. */
async function countIn(counters: Pick<Counter, 'window' | 'key'>[]): Promise<void> {
  for (const { window, key } of counters) {
    const waitMs = await window.count(key)
    if (waitMs > 0)
      throw new ApiError('too_many_guesses', {
        headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
      })
  }
}
