/**
 * Priorities of the activities of ingests: of those that wait in a task queue, the ones with the lowest number begin
 * first, and among equals the accounts take turns (ADR 0042).
 */
export const PRIORITIES = {
  /**
   * The first chunk of a video and its audio, with which it begins to play. Equal tasks begin in any order, so these have a
   * priority of their own (ADR 0043).
   */
  beginning: 1,
  /** The rest of the renditions that make a video playable. */
  first: 2,
  /** The other renditions. */
  later: 4,
  /** The same of a video of a backlog. */
  backlogFirst: 4,
  backlogLater: 5,
  /** The workflow of a video of a backlog, and what it does beside encoding. The default of Temporal is 3. */
  backlog: 4,
} as const

/** A video belongs to a backlog if its workflow starts while more than so many of its account are not ready. */
export const BACKLOG_VIDEOS = 10

/**
 * How far tools yield the processor to those that people wait for. Beside a tool of niceness 0, Linux gives one of niceness 5 a
 * quarter of a core, and one of niceness 15 a thirtieth.
 */
export const NICENESS = {
  /** A video begins to play with its first chunk. */
  beginning: 0,
  /** The other chunks of its first rung. */
  first: 5,
  /** Other renditions, and all of a backlog. */
  background: 15,
} as const

/** Returns the niceness of the tools of an activity with this priority. */
export const nicenessOf = (priorityKey: number | undefined): number =>
  (priorityKey ?? 0) >= PRIORITIES.backlog ? NICENESS.background : NICENESS.beginning
