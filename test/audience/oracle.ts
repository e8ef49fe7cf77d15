import type { Truth } from './synthetic-sessions.ts'

/** Sums by the name of what they are of, such as `7 vid 2026-11-01`. */
type Sums = Map<string, Record<string, number>>

/** What the audience of sessions is, computed from what they have watched: without the product's code. */
export interface ExpectedAudience {
  hours: Sums
  days: Sums
  values: Sums
  retention: Map<string, { views: number; parts: number[]; replays: number[] }>
  progress: Map<
    string,
    { plays: number; watchedMs: number; parts: Set<number>; isComplete: boolean }
  >
}

const START_STEP = 1.2

/** Adds up what sessions have watched, one at a time. */
export interface Oracle {
  add(truth: Truth): void
  expected(): ExpectedAudience
  /** How many different viewers an account has had plays of. */
  viewersOf(accountId: number): number
}

/** Opens an oracle that knows no session yet. */
export function openOracle(): Oracle {
  const audience: ExpectedAudience = {
    hours: new Map(),
    days: new Map(),
    values: new Map(),
    retention: new Map(),
    progress: new Map(),
  }
  const viewers = new Map<string, Set<string>>()
  const noteViewer = (key: string, viewerId: string): void => {
    const known = viewers.get(key) ?? new Set()
    viewers.set(key, known.add(viewerId))
  }
  return {
    add(truth) {
      const { accountId, videoId, startedAtMs, viewerId } = truth.session
      const start = new Date(startedAtMs).toISOString()
      const day = start.slice(0, 10)
      for (const scope of [`${accountId} ${videoId}`, `${accountId} `]) {
        add(audience.hours, `${scope} ${start.slice(0, 13)}`, totalsOf(truth))
        add(audience.days, `${scope} ${day}`, totalsOf(truth))
        addValues(audience.values, `${scope} ${day}`, truth)
        if (truth.watchedMs >= 3000 && viewerId !== null) noteViewer(`${scope} ${day}`, viewerId)
      }
      if (truth.watchedMs >= 3000 && viewerId !== null) noteViewer(`of ${accountId}`, viewerId)
      addRetention(audience, `${accountId} ${videoId} ${start.slice(0, 7)}-01`, truth)
      if (viewerId !== null) addProgress(audience, `${accountId} ${viewerId} ${videoId}`, truth)
    },
    expected() {
      const days = new Map([...audience.days].map(([key, sum]) => [key, { ...sum }]))
      for (const [key, known] of viewers)
        if (!key.startsWith('of ')) add(days, key, { viewers: known.size })
      return { ...audience, days }
    },
    viewersOf: (accountId) => viewers.get(`of ${accountId}`)?.size ?? 0,
  }
}

/** Adds up sessions. */
export function expectedAudience(truths: readonly Truth[]): ExpectedAudience {
  const oracle = openOracle()
  for (const truth of truths) oracle.add(truth)
  return oracle.expected()
}

function add(sums: Sums, key: string, more: Record<string, number>): void {
  const sum = sums.get(key) ?? {}
  for (const [name, amount] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + amount
  sums.set(key, sum)
}

function totalsOf(truth: Truth): Record<string, number> {
  const plays = truth.watchedMs >= 3000 ? 1 : 0
  const failed = truth.error === null ? 0 : 1
  return {
    plays,
    attempts: Math.max(plays, failed),
    errors: failed,
    watched_ms: plays * truth.watchedMs,
    media_ms: plays * Math.round(truth.mediaMs),
    measured_plays: plays,
    watched_parts: plays * truth.shown.size,
    completions: plays && truth.shown.size >= 90 ? 1 : 0,
    stalls: plays * truth.stalls,
    stalled_ms: plays * truth.stalledMs,
    first_frames: plays && truth.firstFrameMs !== null ? 1 : 0,
    first_frame_ms: plays * (truth.firstFrameMs ?? 0),
  }
}

function addValues(values: Sums, of: string, truth: Truth): void {
  const plays = truth.watchedMs >= 3000 ? 1 : 0
  const watchedMs = plays * truth.watchedMs
  const put = (kind: string, value: string): void =>
    add(values, `${of} ${kind} ${value}`, { plays: 1, watched_ms: watchedMs })
  if (truth.error !== null) put('error', truth.error)
  if (plays === 0) return
  put('host', truth.session.refererHost ?? 'unknown')
  put('browser', truth.browser)
  put('system', truth.system)
  put('quality', `${truth.quality}p`)
  put('speed', String(truth.speed / 100))
  if (truth.firstFrameMs === null) return
  let step = 100
  while (Math.round(step) < truth.firstFrameMs) step *= START_STEP
  put('startup', String(Math.round(step)))
}

function addRetention({ retention }: ExpectedAudience, key: string, truth: Truth): void {
  if (truth.watchedMs < 3000) return
  const zeros = (): number[] => Array<number>(100).fill(0)
  const sum = retention.get(key) ?? { views: 0, parts: zeros(), replays: zeros() }
  retention.set(key, sum)
  sum.views += 1
  for (const at of truth.shown) sum.parts[at] = (sum.parts[at] ?? 0) + 1
  for (const at of truth.again) sum.replays[at] = (sum.replays[at] ?? 0) + 1
}

function addProgress({ progress }: ExpectedAudience, key: string, truth: Truth): void {
  const sum = progress.get(key) ?? {
    plays: 0,
    watchedMs: 0,
    parts: new Set<number>(),
    isComplete: false,
  }
  progress.set(key, sum)
  if (truth.watchedMs >= 3000) {
    sum.plays += 1
    sum.watchedMs += truth.watchedMs
  }
  for (const at of truth.shown) sum.parts.add(at)
  sum.isComplete = sum.parts.size >= 90
}
