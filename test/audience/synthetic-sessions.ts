import { randomUUID } from 'node:crypto'
import type { ReportedMeasures } from '../../domain/audience/reported-measures.ts'
import type { PlaybackReport, PlaybackSession } from '../../domain/playback/playback-session.ts'

/** A random number from 0 to 1, and a whole one below a limit. */
export interface Dice {
  share(): number
  below(limit: number): number
}

/** Returns the same numbers for the same seed (mulberry32). */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  const share = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { share, below: (limit) => Math.floor(share() * limit) }
}

export interface SyntheticVideo {
  videoId: string
  accountId: number
  durationMs: number
}

/** What a session has watched when it has sent its last heartbeat. */
export interface Truth {
  session: PlaybackSession
  userAgent: string
  browser: string
  system: string
  watchedMs: number
  mediaMs: number
  /** The hundredths that were shown, and those that were shown again. */
  shown: Set<number>
  again: Set<number>
  stalls: number
  stalledMs: number
  firstFrameMs: number | null
  quality: number
  speed: number
  error: string | null
  positionMs: number
  durationMs: number
}

/** A session with the heartbeats that reach the server, in the order in which they do. */
export interface SyntheticSession {
  session: PlaybackSession
  userAgent: string
  reports: PlaybackReport[]
  /** Of all that was reported. */
  truth: Truth
}

const AGENTS = [
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge', 'Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iOS',
  ],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36', 'Chrome', 'Android'],
] as const
const QUALITIES = [360, 720, 1080]
const SPEEDS = [100, 125, 150, 200]
const LOST = 0.1
const REPEATED = 0.1
const OVERTAKEN = 0.1
/** Sessions begin within this time by default, which has two UTC days at least. */
const SINCE_MS = 23 * 3_600_000

/** Returns a session of one of the videos; `viewers` is how many viewers an account has. */
export function syntheticSession(
  dice: Dice,
  videos: readonly SyntheticVideo[],
  { nowMs, viewers, sinceMs = SINCE_MS }: { nowMs: number; viewers: number; sinceMs?: number },
): SyntheticSession {
  const video = videos[dice.below(videos.length)]
  const [userAgent, browser, system] = AGENTS[dice.below(AGENTS.length)] ?? AGENTS[0]
  if (!video) throw new Error('no videos')
  const session: PlaybackSession = {
    sessionId: randomUUID(),
    videoId: video.videoId,
    accountId: video.accountId,
    viewerId: dice.share() < 0.2 ? null : `viewer-${dice.below(viewers)}`,
    secretVersion: 1,
    refererHost: dice.share() < 0.1 ? null : `site-${dice.below(20)}.example`,
    // The clock of the process that sent the page may be some seconds ahead.
    startedAtMs: nowMs - Math.floor(dice.share() * sinceMs) + (dice.share() < 0.05 ? 5_000 : 0),
  }
  const { states, error } = play(dice, video.durationMs)
  const reports = delivered(
    dice,
    states.map((state) => reportOf(state, error)),
  )
  const last = states.at(-1) ?? emptyState()
  const truth: Truth = {
    ...last,
    session,
    userAgent,
    browser,
    system,
    error,
    durationMs: video.durationMs,
  }
  return { session, userAgent, reports, truth }
}

type State = Omit<Truth, 'session' | 'userAgent' | 'browser' | 'system' | 'durationMs' | 'error'>

const emptyState = (): State => ({
  watchedMs: 0,
  mediaMs: 0,
  shown: new Set(),
  again: new Set(),
  stalls: 0,
  stalledMs: 0,
  firstFrameMs: null,
  quality: 720,
  speed: 100,
  positionMs: 0,
})

/** Plays some stretches of whole hundredths: the states at each heartbeat, each of which contains the one before. */
function play(dice: Dice, durationMs: number): { states: State[]; error: string | null } {
  const state = emptyState()
  const states: State[] = []
  state.quality = QUALITIES[dice.below(QUALITIES.length)] ?? 720
  state.speed = SPEEDS[dice.below(SPEEDS.length)] ?? 100
  if (dice.share() < 0.1) {
    // Left before a play.
    state.watchedMs = dice.below(3_000)
    state.mediaMs = state.watchedMs
  } else {
    state.firstFrameMs = 50 + dice.below(4_000)
    for (let stretch = dice.below(3); stretch >= 0; stretch -= 1) {
      watch(dice, state, durationMs)
      states.push(copyOf(state))
    }
  }
  states.push(copyOf(state))
  return { states, error: dice.share() < 0.05 ? `error_${'abc'[dice.below(3)]}` : null }
}

function watch(dice: Dice, state: State, durationMs: number): void {
  const from = dice.share() < 0.3 ? 0 : dice.below(100)
  const to = dice.share() < 0.4 ? 99 : from + dice.below(100 - from)
  for (let at = from; at <= to; at += 1) {
    if (state.shown.has(at)) state.again.add(at)
    state.shown.add(at)
  }
  const playedMs = ((to - from + 1) * durationMs) / 100
  state.mediaMs += playedMs
  // Longer than a play, whatever the speed.
  state.watchedMs += 3_000 + Math.round((playedMs * 100) / state.speed)
  state.positionMs = Math.round(((to + 1) * durationMs) / 100)
  if (dice.share() < 0.2) {
    state.stalls += 1
    state.stalledMs += dice.below(5_000)
  }
}

const copyOf = (state: State): State => ({
  ...state,
  shown: new Set(state.shown),
  again: new Set(state.again),
})

function reportOf(state: State, error: string | null): PlaybackReport {
  const measures: ReportedMeasures = {
    mediaMs: Math.round(state.mediaMs),
    parts: hexOf(state.shown),
    replayedParts: state.again.size > 0 ? hexOf(state.again) : null,
    stretches: [{ from: 0, to: Math.round(state.positionMs / 1000), at: 0 }],
    firstFrameMs: state.firstFrameMs,
    stalls: state.stalls,
    stalledMs: state.stalledMs,
    quality: state.quality,
    speed: state.speed,
    error,
  }
  const { positionMs, watchedMs } = state
  return { positionMs, watchedMs, bytesLoaded: 0, measures }
}

function hexOf(parts: ReadonlySet<number>): string {
  const digit = (_: unknown, at: number): string =>
    [0, 1, 2, 3].reduce((sum, bit) => sum * 2 + (parts.has(at * 4 + bit) ? 1 : 0), 0).toString(16)
  return Array.from({ length: 25 }, digit).join('')
}

/** Loses heartbeats, repeats some, and lets some overtake others. The last one, of the page that closes, arrives. */
function delivered(dice: Dice, sent: PlaybackReport[]): PlaybackReport[] {
  const last = sent.at(-1)
  const arrived = sent.slice(0, -1).filter(() => dice.share() >= LOST)
  if (last) arrived.push(last)
  const repeated = arrived.flatMap((report) =>
    dice.share() < REPEATED ? [report, report] : [report],
  )
  if (dice.share() < OVERTAKEN && repeated.length > 1) {
    const [first] = repeated.splice(0, 1)
    // Its position is older: the server cannot know, so the overtaken one has none.
    if (first) repeated.push({ ...first, positionMs: null })
  }
  return repeated
}
