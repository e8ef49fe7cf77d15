import { deviceWords } from '../playback-reports/device-words.ts'
import { isPlay, type SessionMeasures } from './session-measures.ts'

/** By what plays are broken down. `startup` is the time to the first frame, in steps (`startupStep`). */
export const BREAKDOWN_KINDS = [
  'host',
  'browser',
  'system',
  'quality',
  'speed',
  'error',
  'startup',
] as const

export type BreakdownKind = (typeof BREAKDOWN_KINDS)[number]

/** How many values of a kind a video, and an account, has on a day; all others are `OTHER_VALUE`. */
export const VALUES_MAX = 50
export const OTHER_VALUE = 'other'
/** What a session has of a kind that it does not tell. */
const UNKNOWN_VALUE = 'unknown'

/** What a session adds to one value. */
export interface ValueCount {
  kind: BreakdownKind
  value: string
  /** Of the kind `error`: sessions with this error, plays or not. */
  plays: number
  watchedMs: number
}

/** What is known of a session from its start on. */
export interface SessionOrigin {
  refererHost: string | null
  userAgent: string | null
}

/** What a session adds to the breakdowns. A session that is no play adds only its error. */
export function valuesOf(origin: SessionOrigin, measures: SessionMeasures): ValueCount[] {
  const plays = isPlay(measures) ? 1 : 0
  const watchedMs = plays === 1 ? measures.watchedMs : 0
  const values: ValueCount[] = []
  if (measures.error !== null)
    values.push({ kind: 'error', value: measures.error, plays: 1, watchedMs })
  if (plays === 0) return values
  const { browser, system } = deviceWords(origin.userAgent ?? '')
  const named: [BreakdownKind, string | null][] = [
    ['host', origin.refererHost],
    ['browser', browser],
    ['system', system],
    ['quality', measures.quality === null ? null : `${measures.quality}p`],
    ['speed', measures.speed === null ? null : String(measures.speed / 100)],
  ]
  for (const [kind, value] of named)
    values.push({ kind, value: value ?? UNKNOWN_VALUE, plays, watchedMs })
  if (measures.firstFrameMs !== null)
    values.push({ kind: 'startup', value: startupStep(measures.firstFrameMs), plays, watchedMs })
  return values
}

/** Each step is a fifth longer than the one before, so a percentile that is read from them is at most 20 % too long. */
const STEP = 1.2
const FIRST_STEP_MS = 100
/** The last one is 59 s. */
const STEPS = Array.from({ length: 36 }, (_, at) => Math.round(FIRST_STEP_MS * STEP ** at))

/** Returns the upper end, in milliseconds, of the step of a time to the first frame; of a longer time, the last one. */
const startupStep = (firstFrameMs: number): string =>
  String(STEPS.find((end) => firstFrameMs <= end) ?? STEPS.at(-1))
