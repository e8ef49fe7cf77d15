import type { Config } from '../../config/config.ts'
import { CliError } from '../errors.ts'

/** Returns the value of a variable. A header with other characters would be refused with an error that quotes it. Throws a CliError, which never repeats the value. */
export function neededVariable(variable: keyof Config, value: string | undefined): string {
  if (value === undefined)
    throw new CliError(`${variable} is not set.`, { code: 'invalid_configuration' })
  if (/^[\u0021-\u007e]+$/.test(value)) return value
  throw new CliError(`${variable}: needs printable characters without spaces.`, {
    code: 'invalid_configuration',
  })
}
