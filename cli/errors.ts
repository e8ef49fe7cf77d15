import { ERRORS } from '../domain/error-codes.ts'
import type { ErrorCode, ErrorEntry } from '../domain/error-codes.ts'

/** The types of the codes that the command line has beside those of the API. */
const OWN_CODES = {
  missing_command: 'invalid_request_error',
  unknown_command: 'invalid_request_error',
  invalid_configuration: 'invalid_request_error',
  account_not_found: 'invalid_request_error',
  api_key_not_found: 'invalid_request_error',
  video_not_failed: 'conflict_error',
  revoked_viewer_not_found: 'invalid_request_error',
  payment_reference_reused: 'conflict_error',
  instance_not_running: 'api_error',
  master_key_unusable: 'api_error',
  database_not_migrated: 'api_error',
  checks_failed: 'api_error',
} as const satisfies Record<string, ErrorEntry['type']>

/** What programs test in the error document of `--json`; a code of the API means the same here. */
export type CliErrorCode = keyof typeof OWN_CODES | ErrorCode

export interface CliErrorFacts {
  /** `invalid_request` by default. */
  code?: CliErrorCode
  /** The option or argument that the error is about, as it is typed: `--account`. */
  param?: string | undefined
}

/** The operator asked for something that cannot be: said in one line, without a stack; exit status 1. */
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

/** The command line itself is wrong: exit status 2; `invalid_parameter` by default. */
export class UsageError extends CliError {
  override name = 'UsageError'

  constructor(message: string, { code = 'invalid_parameter', param }: CliErrorFacts = {}) {
    super(message, { code, param })
  }
}

/** There is no account of this id. */
export const noAccount = (id: number): CliError =>
  new CliError(`There is no account ${id}.`, { code: 'account_not_found', param: '--account' })

/** The error as `--json` writes it, in the form of the API's errors. */
export const errorDocument = ({ code, message, param }: CliError) => ({
  error: {
    type:
      code in OWN_CODES
        ? OWN_CODES[code as keyof typeof OWN_CODES]
        : ERRORS[code as ErrorCode].type,
    code,
    message,
    ...(param !== undefined && { param }),
  },
})
