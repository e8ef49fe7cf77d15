import { isViolation } from '../db/errors.ts'
import type { ViolationKind } from '../db/errors.ts'
import type { ApiError } from './api-error.ts'

/** What `write` comes to; `refusal` where PostgreSQL refused it because of a constraint of this kind. */
export async function refuseViolation<T>(
  write: Promise<T>,
  kind: ViolationKind,
  refusal: () => ApiError,
): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw isViolation(error, kind) ? refusal() : error
  }
}
