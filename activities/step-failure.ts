import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { TOOL_ATTEMPTS } from '../domain/ingest.ts'
import { MediaError } from '../media/media-error.ts'
import type { MediaErrorCode } from '../media/media-error.ts'
import { toolFailuresSoFar } from './report-progress.ts'

/** Either the file or the machine may be the reason, and another attempt may tell. */
const TOOL_CODES: ReadonlySet<MediaErrorCode> = new Set<MediaErrorCode>([
  'packaging_failed',
  'verification_failed',
  'tool_failed',
  'stalled',
])

/**
 * The one place that decides what a failure of an ingest step means (ADR 0018):
 *
 * - the file is at fault (any other MediaError): the video fails at once, with the error's code and message;
 * - a tool crashed or hung: it is tried again, and the video fails at the tenth time;
 * - all else is a fault of ours, such as a full disk or a storage that is away: it is retried for days.
 *
 * Faults of the link do not come here: `downloadSource` returns them, and the workflow counts three attempts.
 */
export function stepFailure(error: unknown): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error
  if (!(error instanceof MediaError) || error.code === 'aborted') return ourFailure(error)
  const { message, code } = error
  return TOOL_CODES.has(code) && countToolFailure() < TOOL_ATTEMPTS
    ? ApplicationFailure.retryable(message, code)
    : ApplicationFailure.nonRetryable(message, code)
}

/** Temporal hands the last heartbeat of an attempt to the next one. */
function countToolFailure(): number {
  const context = Context.current()
  const toolFailures = toolFailuresSoFar(context) + 1
  context.heartbeat({ fraction: null, toolFailures })
  return toolFailures
}

const MESSAGE_MAX_LENGTH = 300

/** Says a fault of ours to the operator, who reads it in Temporal. Histories must hold no link. */
function ourFailure(error: unknown): ApplicationFailure {
  const { name = 'Error', code, message, errors, stack } = Object(error) as Partial<Fault>
  const type = typeof code === 'string' ? code : name
  // A connection that was tried at several addresses fails without a message of its own.
  const text = (message || errors?.[0]?.message || type).split('\n')[0] ?? type
  const shown = text.replaceAll(/https?:\S*/gi, '(a link)').slice(0, MESSAGE_MAX_LENGTH)
  const failure = ApplicationFailure.retryable(shown, type)
  const frames = stack?.match(/^ {4}at .*$/gm) ?? []
  failure.stack = [`${type}: ${shown}`, ...frames].join('\n')
  return failure
}

interface Fault extends Error {
  code: unknown
  errors: Error[]
}
