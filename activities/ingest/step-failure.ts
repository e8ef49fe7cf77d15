import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { IngestRefusal } from '../../commands/ingest/ingest-refusal.ts'
import { describeFault } from '../../domain/describe-fault.ts'
import { KEY_ATTEMPTS, TOOL_ATTEMPTS } from '../../domain/ingest/ingest.ts'
import { DrmProviderError } from '../../drm/drm-provider-error.ts'
import { EgressError, isOwnFault } from '../../egress/egress-error.ts'
import { MediaError, type MediaErrorCode } from '../../media/media-error.ts'
import { keyServerFaults } from '../../metrics/ingest.ts'
import { networkFaults } from '../../metrics/network.ts'
import { toolFailuresSoFar } from './report-progress.ts'

/** Errors that either the file or the machine may have caused, so the step is retried. */
const TOOL_CODES: ReadonlySet<MediaErrorCode> = new Set<MediaErrorCode>([
  'packaging_failed',
  'verification_failed',
  'tool_failed',
  'stalled',
])

/**
 * Decides what a failure of an ingest step means (ADR 0018):
 *
 * - a tool crashed or hung: the step is retried, and the video fails at the tenth time;
 * - any other MediaError is a fault of the file: the video fails immediately, with the error's code and message;
 * - the ingest has ended, or the plan or the chunks do not allow the step (`IngestRefusal`): it ends with the code and message;
 * - the DRM provider refuses to make keys, or mixes up their signalling: the video fails immediately, with the error's code and message;
 * - the DRM provider is away, or the configuration of its key server is wrong: the step is retried, and the video fails at the 150th time;
 * - everything else is an internal error, such as a full disk or unavailable storage: the step is retried 4,040 times, which takes two weeks; waiting for a worker does not count.
 *
 * A network of this installation that is away is an internal error (`egress/network-control.ts`).
 * Errors of the link fail the attempt in `downloadSource`, and the workflow counts three attempts.
 */
export function stepFailure(error: unknown): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error
  if (error instanceof IngestRefusal)
    return ApplicationFailure.nonRetryable(error.message, error.code)
  if (error instanceof DrmProviderError) return providerFailure(error)
  if (error instanceof EgressError && isOwnFault(error)) networkFaults.inc({ code: error.code })
  if (!(error instanceof MediaError) || error.code === 'aborted') return internalFailure(error)
  const { message, code } = error
  return TOOL_CODES.has(code) && countToolFailure() < TOOL_ATTEMPTS
    ? ApplicationFailure.retryable(message, code)
    : ApplicationFailure.nonRetryable(message, code)
}

function providerFailure({ code, message, fault }: DrmProviderError): ApplicationFailure {
  if (fault !== null) keyServerFaults.inc({ fault })
  const isLast = Context.current().info.attempt >= KEY_ATTEMPTS
  return code === 'drm_provider_unavailable' && !isLast
    ? ApplicationFailure.retryable(message, code)
    : ApplicationFailure.nonRetryable(message, code)
}

/** Counts with a heartbeat, because Temporal passes the last heartbeat of an attempt to the next one. */
function countToolFailure(): number {
  const context = Context.current()
  const toolFailures = toolFailuresSoFar(context) + 1
  context.heartbeat({ fraction: null, toolFailures })
  return toolFailures
}

/** Describes an internal error to the operator, who reads it in Temporal. Histories must not contain links. */
function internalFailure(error: unknown): ApplicationFailure {
  const { type, message, frames } = describeFault(error)
  const failure = ApplicationFailure.retryable(message, type)
  failure.stack = [`${type}: ${message}`, ...frames].join('\n')
  return failure
}
