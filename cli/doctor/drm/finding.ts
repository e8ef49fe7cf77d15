import { EgressError } from '../../../egress/egress-error.ts'
import { MachineError, MediaError } from '../../../media/media-error.ts'
import { readSystemError } from '../../../processes/system-error.ts'

/** `not_checked`: an earlier check has failed that this one needs. */
type Result = 'ok' | 'failed' | 'not_configured' | 'not_checked'

/** The result of one check of Multi-DRM. Contains neither keys nor secrets. */
export interface DrmFinding {
  name: string
  result: Result
  /** What was found, in one line. */
  detail: string
  /** What to do; null if there is nothing to do. */
  remedy: string | null
}

/** What a check that passed has found. */
export type Passed = Pick<DrmFinding, 'detail' | 'remedy'>

export const passed = (detail: string, remedy: string | null = null): Passed => ({ detail, remedy })

/** Ends a check. `message` and `remedy` are for the operator and quote neither addresses nor secrets. */
export class CheckFailure extends Error {
  override name = 'CheckFailure'
  readonly remedy: string
  readonly result: Exclude<Result, 'ok'>

  constructor(
    message: string,
    remedy: string,
    result: Exclude<Result, 'ok'> = 'failed',
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.remedy = remedy
    this.result = result
  }
}

/** The error of a check that needs another one, which did not pass. */
export const notChecked = (needs: string): CheckFailure =>
  new CheckFailure(`needs ${needs}`, `Fix ${needs} first.`, 'not_checked')

/** Runs one check. Every error is a finding too. */
export async function examine(name: string, probe: () => Promise<Passed>): Promise<DrmFinding> {
  try {
    return { name, result: 'ok', ...(await probe()) }
  } catch (error) {
    if (error instanceof CheckFailure)
      return { name, result: error.result, detail: error.message, remedy: error.remedy }
    return { name, result: 'failed', detail: wordsOf(error), remedy: UNEXPECTED }
  }
}

const UNEXPECTED = 'Run reelgate doctor: it checks the programs and services of this machine.'

/** Messages of other errors may quote an address, a header or a file, so only their code is shown. */
function wordsOf(error: unknown): string {
  if (error instanceof MediaError || error instanceof MachineError || error instanceof EgressError)
    return error.message
  return `an unexpected error (${readSystemError(error).code || 'internal'})`
}
