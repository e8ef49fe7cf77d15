import { z } from 'zod'

const LANGUAGE_TAG_MAX_LENGTH = 35

/** A BCP 47 language tag in any case; parsed to its canonical form, so `PT-br` and `pt-BR` are one. */
export const languageTag = z
  .string()
  .max(LANGUAGE_TAG_MAX_LENGTH)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'must be a BCP 47 language tag such as en or pt-BR')
  .transform((tag, context) => {
    try {
      return Intl.getCanonicalLocales(tag)[0] ?? tag
    } catch {
      context.addIssue('must be a BCP 47 language tag such as en or pt-BR')
      return z.NEVER
    }
  })
  .meta({ description: 'BCP 47 language tag.', example: 'pt-BR' })
