import { Command, CommanderError } from 'commander'
import type { GlobalOptions } from './context.ts'
import { cliErrorOf, errorDocument, InternalError, UsageError, type CliError } from './errors.ts'
import { jsonText, printableLines } from './output.ts'
import { createRunner, type RegisterVerbs, type Streams } from './verb.ts'
import { accounts } from './verbs/accounts.ts'
import { backup } from './verbs/backup.ts'
import { deliveries } from './verbs/deliveries.ts'
import { devices } from './verbs/devices.ts'
import { doctor } from './verbs/doctor.ts'
import { exportVerb } from './verbs/export.ts'
import { importVerb } from './verbs/import.ts'
import { keys } from './verbs/keys.ts'
import { listen } from './verbs/listen.ts'
import { masterKey } from './verbs/master-key.ts'
import { members } from './verbs/members.ts'
import { manifest } from './verbs/moving/manifest.ts'
import { payments } from './verbs/payments.ts'
import { plan } from './verbs/plan.ts'
import { restore } from './verbs/restore.ts'
import { settings } from './verbs/settings.ts'
import { signingSecret } from './verbs/signing-secret.ts'
import { verifyReceiverVerb } from './verbs/verify-receiver.ts'
import { videos } from './verbs/videos.ts'
import { viewers } from './verbs/viewers.ts'
import { why } from './verbs/why.ts'

/** In the order of the help. */
const VERBS: readonly RegisterVerbs[] = [
  accounts,
  keys,
  members,
  plan,
  payments,
  settings,
  signingSecret,
  videos,
  importVerb,
  exportVerb,
  manifest,
  viewers,
  devices,
  why,
  deliveries,
  masterKey,
  backup,
  restore,
  doctor,
  listen,
  verifyReceiverVerb,
]

/**
 * Runs one command line. Resolves to its exit status: 0 for success, 1 for a failure, 2 for wrong
 * usage. Errors go to `streams.error`: as text, or as one JSON document under `--json`. Its variables
 * are those of `environment`, by default of the process.
 */
export async function runCli(
  args: string[],
  streams: Streams,
  environment?: NodeJS.ProcessEnv,
): Promise<number> {
  const program = buildProgram(streams, environment)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const failure = cliErrorOf(error)
    // As text, Commander has already written its message and help.
    if (isJson(program) || !(error instanceof CommanderError))
      streams.error(errorText(failure, isJson(program)))
    return failure instanceof UsageError ? 2 : 1
  }
}

const isJson = (program: Command): boolean => program.opts<GlobalOptions>().json === true

/** Returns an error as a line of text, or as one JSON document. */
export const errorText = (failure: CliError, asJson: boolean): string =>
  asJson ? `${jsonText(errorDocument(failure))}\n` : `reelgate: ${wordsOf(failure)}\n`

/** Messages may repeat what a server, a file or another service has said. */
const wordsOf = (failure: CliError): string =>
  printableLines(
    failure instanceof InternalError ? (failure.stack ?? failure.message) : failure.message,
  )

/** Creates the command line with every verb. Nothing is opened until a verb runs. */
export function buildProgram(streams: Streams, environment?: NodeJS.ProcessEnv): Command {
  const program = new Command('reelgate')
  program
    .description('Administers a Reelgate installation.')
    .option('--json', 'write JSON; errors go to stderr as JSON')
    .option('--data-dir <dir>', 'data folder of the instance (default: .reelgate)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: streams.out,
      writeErr: (text) => {
        if (!isJson(program)) streams.error(text)
      },
    })
    .exitOverride()
  const run = createRunner(streams, environment)
  for (const register of VERBS) register(program, run)
  return program
}
