import { Refusal } from '../../../commands/refusal.ts'
import { ApiError } from '../../../http/api-error.ts'

/** Awaits an edit; if it starts from old values, responds with 409 `stale_edit` and what `read` returns as `current`. */
export async function refuseStale<T>(
  edit: Promise<T>,
  read: () => Promise<object | null>,
): Promise<T> {
  try {
    return await edit
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'stale_edit') throw error
    const current = await read()
    throw new ApiError('stale_edit', current ? { current } : {})
  }
}
