import { CommanderError } from 'commander'
import { Refusal } from '../commands/refusal.ts'
import { ConfigError } from '../config/config.ts'
import { DatabaseUnusableError } from '../db/await-database.ts'
import { describeDatabaseError, isDatabaseUnavailable } from '../db/errors.ts'
import { NewerDatabaseError } from '../db/migrate.ts'
import { ERRORS, type ErrorCode, type ErrorEntry } from '../domain/error-codes.ts'
import { readSystemError } from '../processes/system-error.ts'
import { SealingError } from '../security/sealing/sealing.ts'
import { StorageUnusableError } from '../storage/storage-error.ts'
import { describeDiskError } from './disk-errors.ts'

/** The types of the error codes that only the command line has. */
const CLI_CODES = {
  missing_command: 'invalid_request_error',
  unknown_command: 'invalid_request_error',
  invalid_configuration: 'invalid_request_error',
  original_not_kept: 'conflict_error',
  payment_reference_reused: 'conflict_error',
  revoked_device_not_found: 'invalid_request_error',
  instance_not_running: 'api_error',
  master_key_unusable: 'api_error',
  master_key_not_rolled_out: 'conflict_error',
  master_key_change_running: 'conflict_error',
  master_key_file_unusable: 'api_error',
  database_not_migrated: 'api_error',
  database_newer: 'api_error',
  checks_failed: 'api_error',
  backup_running: 'conflict_error',
  backup_not_found: 'invalid_request_error',
  backup_damaged: 'api_error',
  backup_newer: 'invalid_request_error',
  backup_folder_unusable: 'api_error',
  database_not_empty: 'conflict_error',
  account_in_force: 'conflict_error',
  export_folder_not_empty: 'conflict_error',
  output_not_written: 'api_error',
  uploads_failed: 'api_error',
  manifest_invalid: 'invalid_request_error',
  import_incomplete: 'api_error',
  export_incomplete: 'api_error',
  export_folder_unsafe: 'invalid_request_error',
  credentials_refused: 'invalid_request_error',
  bucket_not_found: 'invalid_request_error',
  journal_of_another_bucket: 'conflict_error',
  unexpected_response: 'api_error',
  manifest_incomplete: 'api_error',
} as const satisfies Record<string, ErrorEntry['type']>

/** The code in the error document of `--json`. Codes of the API have the same meaning here. */
export type CliErrorCode = keyof typeof CLI_CODES | ErrorCode

export interface CliErrorFacts {
  /** `invalid_request` by default. */
  code?: CliErrorCode
  /** The option or argument that the error is about, as typed: `--account`. */
  param?: string | undefined
}

/** An error for the operator: one line without a stack, exit status 1. */
export class CliError extends Error {
  override name = 'CliError'
  readonly code: CliErrorCode
  readonly param: string | undefined

  constructor(message: string, { code = 'invalid_request', param }: CliErrorFacts = {}) {
    super(message)
    this.code = code
    this.param = param
  }
}

/** An error in the command line itself: exit status 2, `invalid_parameter` by default. */
export class UsageError extends CliError {
  override name = 'UsageError'

  constructor(message: string, { code = 'invalid_parameter', param }: CliErrorFacts = {}) {
    super(message, { code, param })
  }
}

/** There is no account with this id. */
export const noAccount = (id: number): CliError =>
  new CliError(`There is no account ${id}.`, { code: 'account_not_found', param: '--account' })

/** There is no video with this id. */
export const noVideo = (id: string): CliError =>
  new CliError(`There is no video ${id}.`, { code: 'video_not_found' })

const isCliOnly = (code: CliErrorCode): code is keyof typeof CLI_CODES => code in CLI_CODES

/** The error in the form of the API's errors, for `--json`. */
export const errorDocument = ({ code, message, param }: CliError) => ({
  error: {
    type: isCliOnly(code) ? CLI_CODES[code] : ERRORS[code].type,
    code,
    message,
    ...(param !== undefined && { param }),
  },
})

/** Converts any error that ended a command line to the CliError that its caller sees. */
export function cliErrorOf(error: unknown): CliError {
  if (error instanceof CliError) return error
  if (error instanceof CommanderError) return usageErrorOf(error)
  if (error instanceof Refusal) return new CliError(error.message, { code: error.code })
  if (error instanceof ConfigError)
    return new CliError(error.message, { code: 'invalid_configuration' })
  if (error instanceof SealingError)
    return new CliError(error.message, { code: 'master_key_unusable' })
  if (error instanceof NewerDatabaseError)
    return new CliError(error.message, { code: 'database_newer' })
  if (error instanceof DatabaseUnusableError || error instanceof StorageUnusableError)
    return new CliError(error.message, { code: 'service_unavailable' })
  return databaseError(error) ?? outputError(error) ?? new InternalError(error)
}

function outputError(error: unknown): CliError | null {
  const words = describeDiskError(error)
  return words === null ? null : new CliError(`${words}.`, { code: 'output_not_written' })
}

/**
 * Awaits a command. Rethrows its refusal with the message for its code, which names ids and options as the
 * operator typed them; an `invalid_parameter` is an error in the command line. A refusal without a message
 * here keeps its own.
 */
export async function describeRefusal<T>(
  command: Promise<T>,
  messages: Partial<Record<ErrorCode, string>>,
): Promise<T> {
  try {
    return await command
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message } = error
    if (code === 'invalid_parameter') throw new UsageError(messages[code] ?? message)
    throw new CliError(messages[code] ?? message, { code })
  }
}

/** An internal error. Text output shows its stack. */
export class InternalError extends CliError {
  override name = 'InternalError'

  constructor(error: unknown) {
    super(error instanceof Error ? error.message : String(error), { code: 'internal_error' })
    if (error instanceof Error) this.stack = error.stack ?? error.message
  }
}

function databaseError(error: unknown): CliError | null {
  const { code } = readSystemError(error)
  if (isDatabaseUnavailable(error))
    return new CliError(describeDatabaseError(error) ?? 'PostgreSQL is unavailable', {
      code: 'service_unavailable',
    })
  if (code === '42P01')
    return new CliError('the database has no tables yet: npm start migrates it', {
      code: 'database_not_migrated',
    })
  return null
}

const USAGE_CODES: Record<string, 'missing_command' | 'unknown_command' | 'unknown_parameter'> = {
  'commander.help': 'missing_command',
  'commander.unknownCommand': 'unknown_command',
  'commander.unknownOption': 'unknown_parameter',
  'commander.excessArguments': 'unknown_parameter',
}

function usageErrorOf({ code, message }: CommanderError): UsageError {
  const words = message.replace(/^error: /, '')
  return new UsageError(code === 'commander.help' ? 'Name a command; --help lists them.' : words, {
    code: USAGE_CODES[code] ?? 'invalid_parameter',
    // Commander's messages quote the option with its placeholder: option '--account <id>' argument …
    param: /'(--\S+?(?=[ '])|[^']+)/.exec(words)?.[1],
  })
}
