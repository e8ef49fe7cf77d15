import { isViolation, type ViolationKind } from '../db/errors.ts'
import { ERRORS, type ErrorCode } from '../domain/error-codes.ts'

export interface RefusalDetails {
  /** The field of the request that the refusal is about. */
  field?: string
  /** More precise than the message of the registry. */
  message?: string
  /** The id of what already has a value that must be unique. */
  holder?: string
}

/** Thrown by a command that the current rows do not allow; rolls its transaction back. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly holder: string | undefined

  constructor(code: ErrorCode, { field, message, holder }: RefusalDetails = {}) {
    super(message ?? ERRORS[code].message)
    this.code = code
    this.field = field
    this.holder = holder
  }
}

/** Awaits `write`; throws the refusal if the write violates a constraint of this kind. */
export async function refuseViolation<T>(
  write: Promise<T>,
  kind: ViolationKind,
  code: ErrorCode,
  details?: RefusalDetails,
): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw isViolation(error, kind) ? new Refusal(code, details) : error
  }
}
