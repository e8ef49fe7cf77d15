/** The operator asked for something that cannot be: said in one line, without a stack; exit status 1. */
export class CliError extends Error {
  override name = 'CliError'
}

/** The command line itself is wrong: exit status 2. */
export class UsageError extends CliError {
  override name = 'UsageError'
}
