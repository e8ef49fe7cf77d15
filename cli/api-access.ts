import { Option, type Command } from 'commander'
import { ERRORS, type ErrorCode } from '../domain/error-codes.ts'
import type { ReelgateError } from '../sdk/src/index.ts'
import { parseHttpUrl } from './arguments.ts'
import type { Context } from './context.ts'
import { CliError, type CliErrorCode } from './errors.ts'
import { addSecretOptions, readSecret } from './secret-option.ts'

/** The options of a verb that uses the API alone, as any client of an account does. */
export interface ApiOptions {
  api?: URL
  key?: string
  keyFile?: string
}

/** Adds `--api` and the forms of the API key to a verb. */
export function addApiOptions(command: Command, scopes: string): Command {
  command.addOption(
    new Option('--api <url>', 'address of the API (default: the running instance)').argParser(
      parseHttpUrl,
    ),
  )
  const description = `API key with the scope ${scopes}`
  return addSecretOptions(command, { name: 'key', description, variable: 'REELGATE_API_KEY' })
}

/** Returns the address of the API and the key. Throws a CliError if one of them is not known. */
export async function readApiAccess(
  context: Context,
  options: ApiOptions,
): Promise<{ api: string; apiKey: string }> {
  return { api: apiAddress(context, options), apiKey: await readKey(context, options) }
}

function apiAddress({ runtime, dataDir }: Context, { api }: ApiOptions): string {
  const address = api?.href ?? runtime?.api
  if (address !== undefined) return address.replace(/\/+$/, '')
  throw new CliError(`Nothing is running on ${dataDir}: give its address with --api <url>`, {
    code: 'instance_not_running',
    param: '--api',
  })
}

async function readKey({ config }: Context, { key, keyFile }: ApiOptions): Promise<string> {
  const variable = config.REELGATE_API_KEY
  const apiKey = await readSecret('key', { option: key, file: keyFile, variable })
  if (apiKey !== undefined) return apiKey
  throw new CliError('Which account? Set REELGATE_API_KEY, or give --key-file <file>', {
    code: 'missing_api_key',
    param: '--key-file',
  })
}

/** Converts an error of the API at `api` to one of the command line. */
export const cliErrorOfApi = (error: ReelgateError, api: string): CliError =>
  new CliError(explain(error, api), { code: toCliErrorCode(error) })

function explain(error: ReelgateError, api: string): string {
  if (error.type === 'connection_error') return `There is no API at ${api}: ${error.message}`
  return `The API at ${api} refuses: ${error.message}`
}

function toCliErrorCode({ type, code }: ReelgateError): CliErrorCode {
  if (type === 'connection_error') return 'service_unavailable'
  return isErrorCode(code) ? code : 'invalid_request'
}

/** False for a code that only a newer API knows. */
const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code)

/**
 * Returns a signal that aborts at Ctrl-C. Keeps its listeners, because npm forwards Ctrl-C a second
 * time, which would otherwise end the process before the summary.
 */
export function interruption(): AbortSignal {
  if (stopping === undefined) {
    const controller = new AbortController()
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => controller.abort())
    stopping = controller
  }
  return stopping.signal
}

/** One for the whole process, which runs one verb. */
let stopping: AbortController | undefined
