import { parseRowId } from '../../domain/row-id.ts'

/** The `subjectId` of an uploaded poster. */
export const posterSubject = (videoId: string, number: number): string => `${videoId}/${number}`

/** Reads the `subjectId` of an uploaded poster. Throws if it is not one. */
export function parsePosterSubject(subjectId: string): { videoId: string; number: number } {
  const [videoId = '', number = ''] = subjectId.split('/')
  return { videoId, number: parseRowSubject(number) }
}

/** Reads the `subjectId` of a delivery or a replay. Throws if it is not an id: the request is then kept. */
export function parseRowSubject(subjectId: string): number {
  const id = parseRowId(subjectId)
  if (id === null) throw new Error(`the subject "${subjectId}" is not an id`)
  return id
}

/** The channel on which a commit wakes the relay. */
export const OUTBOX_CHANNEL = 'outbox'
