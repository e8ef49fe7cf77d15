import { DefaultLogger, type LogEntry } from '@temporalio/worker'
import type { Logger } from 'pino'
import { describeFault } from '../domain/describe-fault.ts'

const METHODS = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const

/**
 * Creates the logger of the Temporal SDK, which writes to the log of the process. The error of a line has type, message
 * and stack. A failed workflow has the line of `workflows/log-failures.ts`: errors lose their code on the way out of the
 * workflow's thread, so the SDK's own line is left out.
 */
export const createSdkLogger = (logger: Logger): DefaultLogger =>
  new DefaultLogger('INFO', (entry) => {
    if (!isOwnLine(entry)) logger[METHODS[entry.level]](fieldsOf(entry), entry.message)
  })

const isOwnLine = ({ message, meta }: LogEntry): boolean =>
  message === 'Workflow failed' && meta?.sdkComponent === 'worker'

function fieldsOf({ meta = {} }: LogEntry): object {
  const { error } = meta
  if (typeof error !== 'object' || error === null) return meta
  const { type, message, frames } = describeFault(error)
  // A failure that Temporal does not repeat is a verdict about the work, and its place in the code says nothing.
  const hasStack = frames.length > 0 && !('nonRetryable' in error && error.nonRetryable === true)
  return { ...meta, error: { type, message, ...(hasStack && { stack: frames.join('\n') }) } }
}
