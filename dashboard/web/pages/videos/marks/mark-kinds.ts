import { endSecond, lastSecond } from '../../../../../domain/videos/chapters.ts'
import { apiOf, unwrap } from '../../../api/client.ts'
import type { components } from '../../../api/schema.ts'
import { outcomeOf, type SaveOutcome } from '../../../api/stale.ts'
import { withChapterAt, withMomentAt, type Mark, type MarkChanges } from './marks.ts'

/** What differs between chapters and moments. */
export interface MarkKind {
  name: 'chapters' | 'moments'
  /** The names of the text and the time in errors of the API. */
  textField: 'title' | 'label'
  startField: 'start' | 'timestamp'
  list: (account: string, video: string, signal: AbortSignal) => Promise<Mark[]>
  /** Saves all changes together. */
  save: (account: string, video: string, changes: MarkChanges) => Promise<SaveOutcome<Mark[]>>
  /** The last second that a mark can have. */
  lastOf: (durationMs: number) => number
  /** Adds a mark at a second; null if that second has one. `last` is null until the duration is known. */
  withMarkAt: (
    marks: readonly Mark[],
    at: number,
    last: number | null,
    key: string,
  ) => Mark[] | null
}

type Chapter = components['schemas']['Chapter']
type Moment = components['schemas']['Moment']

/** The length of a chapter at the end of a video whose duration is unknown. */
const CHAPTER_SECONDS = 60

type WithId<Id> = Mark & { id: Id }

const keyed = (id: number) => ({ key: String(id), id })

const ofChapter = ({ id, title: text, start, end }: Chapter): Mark => ({
  ...keyed(id),
  text,
  start,
  end,
})
const toChapter = <Id>({ id, text, start, end }: WithId<Id>) => ({
  id,
  title: text,
  start,
  end: end ?? start,
})

const ofMoment = ({ id, label: text, timestamp: start }: Moment): Mark => ({
  ...keyed(id),
  text,
  start,
  end: null,
})
const toMoment = <Id>({ id, text, start }: WithId<Id>) => ({ id, label: text, timestamp: start })

const isSaved = (mark: Mark): mark is WithId<number> => mark.id !== null

export const CHAPTERS: MarkKind = {
  name: 'chapters',
  textField: 'title',
  startField: 'start',
  lastOf: endSecond,
  withMarkAt: (marks, at, last, key) => withChapterAt(marks, at, last ?? at + CHAPTER_SECONDS, key),
  async list(account, video, signal) {
    const params = { path: { id: video } }
    const call = apiOf(account).GET('/v1/videos/{id}/chapters', { params, signal })
    return (await unwrap(call)).data.map(ofChapter)
  },
  async save(account, video, { changed, deletedIds, from }) {
    const params = { path: { id: video } }
    const chapters = changed.map(toChapter)
    const body = { chapters, deleted_ids: deletedIds, from: from.filter(isSaved).map(toChapter) }
    const call = apiOf(account).PATCH('/videos/{id}/chapters', { params, body })
    const { kind, current } = await outcomeOf(call)
    return { kind, current: current.data.map(ofChapter) }
  },
}

export const MOMENTS: MarkKind = {
  name: 'moments',
  textField: 'label',
  startField: 'timestamp',
  lastOf: lastSecond,
  withMarkAt: (marks, at, _last, key) => withMomentAt(marks, at, key),
  async list(account, video, signal) {
    const params = { path: { id: video } }
    const call = apiOf(account).GET('/v1/videos/{id}/moments', { params, signal })
    return (await unwrap(call)).data.map(ofMoment)
  },
  async save(account, video, { changed, deletedIds, from }) {
    const params = { path: { id: video } }
    const moments = changed.map(toMoment)
    const body = { moments, deleted_ids: deletedIds, from: from.filter(isSaved).map(toMoment) }
    const call = apiOf(account).PATCH('/videos/{id}/moments', { params, body })
    const { kind, current } = await outcomeOf(call)
    return { kind, current: current.data.map(ofMoment) }
  },
}
