import { z } from 'zod'

/** Text that PostgreSQL can hold: no NUL, no half of a surrogate pair; counted in UTF-16 units. */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), {
      message: 'must be well-formed text without NUL characters',
    })
