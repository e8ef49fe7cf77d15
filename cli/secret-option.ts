import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { Option, type Command } from 'commander'
import { readSystemError } from '../processes/system-error.ts'
import type { Context } from './context.ts'
import { UsageError } from './errors.ts'

/** A secret that a verb takes. */
interface Secret {
  /** The name of the option, without dashes. */
  name: string
  description: string
  /** The variable of the environment (`config.ts`). */
  variable: 'REELGATE_API_KEY' | 'REELGATE_WEBHOOK_SECRET'
}

/**
 * Adds the three forms of a secret to a verb: the variable, `--NAME-file` and `--NAME`. Only the last one is visible
 * in the process list. `readSecret` reads them.
 */
export function addSecretOptions(
  command: Command,
  { name, description, variable }: Secret,
): Command {
  // Checked by the verb, because commander's error would quote the secret.
  const inArguments = `${description}; visible in the process list, so prefer ${variable} or --${name}-file`
  return command
    .addOption(new Option(`--${name}-file <file>`, `file with it, - for stdin`).conflicts(name))
    .addOption(new Option(`--${name} <${name}>`, inArguments))
}

/** What a command line and its environment give of a secret. */
interface SecretForms {
  option?: string | undefined
  file?: string | undefined
  variable: string | undefined
}

/**
 * Returns the secret of an option `--NAME` or `--NAME-file`, else the value of the variable; undefined if none is
 * given. Throws a UsageError if the file cannot be read or is empty.
 */
export async function readSecret(
  name: string,
  { option, file, variable }: SecretForms,
): Promise<string | undefined> {
  if (file === undefined) return option ?? variable
  const param = `--${name}-file`
  const content = file === '-' ? await textOf(process.stdin) : await contentOf(file, param)
  const secret = content.replace(/\r?\n$/, '')
  if (secret === '') throw new UsageError('The file with the secret is empty.', { param })
  return secret
}

/** Returns the secret of a webhook endpoint; undefined if none is given. Throws a UsageError if it has another form. */
export async function readWebhookSecret(
  { config }: Context,
  { secret: option, secretFile: file }: { secret?: string; secretFile?: string },
): Promise<string | undefined> {
  const secret = await readSecret('secret', {
    option,
    file,
    variable: config.REELGATE_WEBHOOK_SECRET,
  })
  if (secret === undefined || /^whsec_\S+$/.test(secret)) return secret
  throw new UsageError('The secret must begin with whsec_.', { param: '--secret' })
}

async function contentOf(file: string, param: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = readSystemError(error)
    throw new UsageError(`The file ${file} cannot be read (${code}).`, { param })
  }
}
