import { z } from 'zod'
import { CliError, type CliErrorCode } from '../../errors.ts'
import type { LeftOutVideo } from './service.ts'

/** A field that a service may leave out, or send as null. */
export const maybe = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? null)

/** Texts of a field, which may be missing. */
export const maybeText = maybe(z.string())
export const maybeNumber = maybe(z.number())

/**
 * Reads the record of a video in a page. A record that is not as documented is one video that is left out, named by its id, and not the end
 * of the run.
 */
export function readRecord<T>(
  schema: z.ZodType<T>,
  record: unknown,
  idField: string,
): T | LeftOutVideo {
  const parsed = schema.safeParse(record)
  if (parsed.success) return parsed.data
  const named = z.object({ [idField]: z.string() }).safeParse(record)
  const id = named.success ? (named.data[idField] ?? '').slice(0, 200) : ''
  const fields = parsed.error.issues.map(({ path }) => path.join('.') || 'the record')
  return {
    id,
    title: null,
    reason: `The record is not as documented: ${[...new Set(fields)].join(', ')}.`,
  }
}

/**
 * Makes a call that is about one video: what the service refuses then is a problem of this video, and not the end of the run. Resolves to null
 * after a problem.
 */
export async function ofOneVideo<T>(
  call: () => Promise<T>,
  onProblem: (message: string) => void,
  codes: readonly CliErrorCode[] = ['unexpected_response'],
): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof CliError) || !codes.includes(error.code)) throw error
    onProblem(error.message)
    return null
  }
}
