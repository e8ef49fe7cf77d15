import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue

/** What a value must be, by the type that its schema expects. */
const TYPES: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
}

const FORMATS: Record<string, string> = {
  date: 'must be a date such as 2026-11-21',
  datetime: 'must be a time with a UTC offset, such as 2026-11-21T09:30:00Z',
}

/**
 * Says in our words what is wrong with a value, to be read behind its name: "must be a string". The
 * messages that a schema brings along (`refine`, `regex`) come before it.
 */
export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return TYPES[issue.expected] ?? 'is not usable'
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the right form'
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      if (issue.origin === 'array' && issue.minimum === 1) return 'must not be empty'
      return `must ${sizeOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`
    case 'too_big':
      return `must ${sizeOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return 'is not usable'
  }
}

/** The same for a query, where everything is text, and what is not was sent more than once. */
export const describeQueryIssue = (issue: Issue): string =>
  issue.code === 'invalid_type' && issue.expected === 'string' && issue.input !== undefined
    ? 'must be given once'
    : describeIssue(issue)

const sizeOf = (origin: string): string => (['array', 'string'].includes(origin) ? 'have' : 'be')

const UNITS: Record<string, string> = { array: ' entries', string: ' characters' }
const unitOf = (origin: string): string => UNITS[origin] ?? ''
