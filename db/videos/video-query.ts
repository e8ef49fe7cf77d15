import type { Protection } from '../../domain/accounts/plan.ts'
import type { VideoStatus } from '../../domain/videos/video-state.ts'

/** The bounds of a value; absent ones admit every value. */
export interface Range<T> {
  gte?: T | undefined
  gt?: T | undefined
  lte?: T | undefined
  lt?: T | undefined
}

/** Which videos of an account a list has. Absent parts admit every video; all parts must apply. */
export interface VideoQuery {
  accountId: number
  externalId?: string | undefined
  status?: VideoStatus | undefined
  /** Null: those without a folder. */
  folderId?: number | null | undefined
  protection?: Protection | undefined
  /** All of them, in any case. */
  tags?: readonly string[] | undefined
  metadata?: Readonly<Record<string, string>> | undefined
  /** Text of which all words are in the title, in any case and order. */
  words?: string | undefined
  /** Part of the title, in any case. A short one is sought in the newest videos only (`domain/limits.ts`). */
  titlePart?: string | undefined
  createdAt?: Range<Date> | undefined
  updatedAt?: Range<Date> | undefined
  durationMs?: Range<number> | undefined
}

/** The orders of a list, and whether it begins with the largest value. */
export const VIDEO_SORTS = {
  '-created': { column: 'createdAt', isDescending: true },
  created: { column: 'createdAt', isDescending: false },
  '-updated': { column: 'updatedAt', isDescending: true },
  updated: { column: 'updatedAt', isDescending: false },
  '-title': { column: 'searchTitle', isDescending: true },
  title: { column: 'searchTitle', isDescending: false },
} as const

export type VideoSort = keyof typeof VIDEO_SORTS

/** A place in the order of a list. No video needs to have it. */
export interface VideoPosition {
  /** The value that the list is sorted by: a title in lower case, or microseconds since 1970. */
  value: string
  id: string
}
