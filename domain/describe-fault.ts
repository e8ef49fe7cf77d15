/** An error as operators read it in Temporal and in logs: on one line, without links, which may contain secrets, and without values. */
export interface Fault {
  /** The code of the error if it has one, else its failure type in Temporal, else its name. */
  type: string
  message: string
  /** The lines of its stack; empty if it has none. */
  frames: string[]
}

const MESSAGE_MAX_LENGTH = 300

/** Describes a thrown value of any type. The message has at most 300 characters. */
export function describeFault(error: unknown): Fault {
  const fields = recordOf(error)
  const type = textIn(fields, 'code') || textIn(fields, 'type') || textIn(fields, 'name') || 'Error'
  // A connection that failed at several addresses has messages only in `errors`.
  const [first] = Array.isArray(fields.errors) ? fields.errors : []
  const message = textIn(fields, 'message') || textIn(recordOf(first), 'message') || type
  return {
    type,
    message: lineOf(message, type),
    frames: textIn(fields, 'stack').match(/^ {4}at .*$/gm) ?? [],
  }
}

/** PostgreSQL quotes the value that it cannot read, in messages of this class, and rows on further lines. */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/

function lineOf(message: string, type: string): string {
  const [line = ''] = message.split('\n')
  const shown = DATA_EXCEPTION.test(type) ? (line.split(':')[0] ?? '') : line
  return shown.replaceAll(/https?:\S*/gi, '(a link)').slice(0, MESSAGE_MAX_LENGTH)
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const textIn = (fields: Record<string, unknown>, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
