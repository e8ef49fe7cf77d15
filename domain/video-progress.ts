/** What a step of an ingest records: it waits for its turn, or it runs. */
export type RecordedStage = 'waiting' | 'running'

/** How far a step is. */
export const PROGRESS_STAGES = ['waiting', 'running', 'done'] as const

type ProgressStage = (typeof PROGRESS_STAGES)[number]

/** What the steps of a running ingest record, one row for each. */
export interface ProgressRow {
  /** `download`, `prepare`, `keys`, `finish`, or a rendition such as `720p` or `audio-0`. */
  name: string
  stage: RecordedStage
  /** From 0 to 1; null if the total is not known. */
  fraction: number | null
  updatedAt: Date
}

/** One step of an ingest, as the dashboard shows it. */
export interface VideoStep {
  name: string
  stage: ProgressStage
  fraction: number | null
}

/**
 * Returns the steps in their order: download, prepare, keys, the renditions from small to large, finish. A published
 * rendition is done, and so is a step once a later one is recorded.
 */
export function stepsOf(rows: readonly ProgressRow[], published: readonly string[]): VideoStep[] {
  const recorded = new Map(rows.map((row) => [row.name, row]))
  const names = [...new Set([...recorded.keys(), ...published])].toSorted(
    (a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b, 'en', { numeric: true }),
  )
  return names.map((name) => {
    const place = placeOf(name)
    const isPassed = place < RENDITION && names.some((other) => placeOf(other) > place)
    if (isPassed || published.includes(name)) return { name, stage: 'done', fraction: 1 }
    const { stage = 'running', fraction = null } = recorded.get(name) ?? {}
    return { name, stage, fraction }
  })
}

const PLACES: Record<string, number> = { download: 0, prepare: 1, keys: 2, finish: 5 }
const RENDITION = 3

const placeOf = (name: string): number =>
  PLACES[name] ?? (name.startsWith('audio-') ? RENDITION + 1 : RENDITION)
