import { CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { isDatabaseAway } from '../db/errors.ts'
import { SealingError } from '../security/sealing.ts'
import { CliError, UsageError } from './errors.ts'

/** What ended a command line, in the words and with the code that its caller gets. */
export function failureOf(error: unknown): CliError {
  if (error instanceof CliError) return error
  if (error instanceof CommanderError) return usageFailure(error)
  if (error instanceof ConfigError)
    return new CliError(error.message, { code: 'invalid_configuration' })
  if (error instanceof SealingError)
    return new CliError(error.message, { code: 'master_key_unusable' })
  return databaseFailure(error) ?? new UnforeseenError(error)
}

/** A fault of ours: text output shows its stack. */
export class UnforeseenError extends CliError {
  override name = 'UnforeseenError'

  constructor(error: unknown) {
    super(error instanceof Error ? error.message : String(error), { code: 'internal_error' })
    if (error instanceof Error) this.stack = error.stack ?? error.message
  }
}

function databaseFailure(error: unknown): CliError | null {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (isDatabaseAway(error))
    return new CliError(
      'the database does not answer: is it running? (reelgate doctor tells more)',
      { code: 'service_unavailable' },
    )
  if (/^(28|3D)...$/.test(String(code)))
    return new CliError(`the database refuses the connection: ${String(message)}`, {
      code: 'service_unavailable',
    })
  if (code === '42P01')
    return new CliError(
      'the database has no tables yet: start it once, so that it is migrated: npm start',
      { code: 'database_not_migrated' },
    )
  return null
}

const USAGE_CODES: Record<string, 'missing_command' | 'unknown_command' | 'unknown_parameter'> = {
  'commander.help': 'missing_command',
  'commander.unknownCommand': 'unknown_command',
  'commander.unknownOption': 'unknown_parameter',
  'commander.excessArguments': 'unknown_parameter',
}

function usageFailure({ code, message }: CommanderError): UsageError {
  const words = message.replace(/^error: /, '')
  return new UsageError(code === 'commander.help' ? 'Name a command; --help lists them.' : words, {
    code: USAGE_CODES[code] ?? 'invalid_parameter',
    // Commander quotes the option with its placeholder first: option '--account <id>' argument …
    param: /'(--\S+?(?=[ '])|[^']+)/.exec(words)?.[1],
  })
}
