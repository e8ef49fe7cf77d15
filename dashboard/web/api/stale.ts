import { problemFromResponse } from './problem.ts'

/** How a save ended: with what is stored by it, or with what another member has stored before. */
export type SaveOutcome<T, Current = T> =
  { kind: 'saved'; current: T } | { kind: 'stale'; current: Current }

/** Other refusals may carry what is there now too, of something else. */
const STALE_STATUS = 409

type Failure<Current> = { current?: Current } | object

/** Resolves to the outcome of a save that names what it starts from. Throws a Problem for another refusal. */
export async function outcomeOf<T, Current>(
  call: Promise<{ data?: T; error?: Failure<Current>; response: Response }>,
): Promise<SaveOutcome<T, Current>> {
  const { data, error, response } = await call
  if (data !== undefined) return { kind: 'saved', current: data }
  const isStale = response.status === STALE_STATUS
  if (isStale && error && 'current' in error && error.current)
    return { kind: 'stale', current: error.current }
  throw problemFromResponse(error, response)
}
