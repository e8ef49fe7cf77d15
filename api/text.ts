import { z } from 'zod'

/** Text that PostgreSQL can hold: no NUL, no half of a surrogate pair; counted in UTF-16 units. */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), {
      message: 'must be well-formed text without NUL characters',
    })

/** The largest id that a row can have. */
export const ID_MAX = 2 ** 31 - 1

/** A row id of a path or a query; null where the text cannot be one. */
export function parseId(value: string): number | null {
  if (!/^[1-9]\d{0,9}$/.test(value)) return null
  const id = Number(value)
  return id <= ID_MAX ? id : null
}
