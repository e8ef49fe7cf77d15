import { Command, CommanderError } from 'commander'
import { accountsCreate } from './verbs/accounts-create.ts'
import { accountsList } from './verbs/accounts-list.ts'
import { deliveriesList } from './verbs/deliveries-list.ts'
import { deliveriesReplay } from './verbs/deliveries-replay.ts'
import { deliveriesRetry } from './verbs/deliveries-retry.ts'
import { doctor } from './verbs/doctor.ts'
import { keysCreate } from './verbs/keys-create.ts'
import { keysList } from './verbs/keys-list.ts'
import { keysRevoke } from './verbs/keys-revoke.ts'
import { listen } from './verbs/listen.ts'
import { paymentsList } from './verbs/payments-list.ts'
import { paymentsRecord } from './verbs/payments-record.ts'
import { planSet } from './verbs/plan-set.ts'
import { planShow } from './verbs/plan-show.ts'
import { settingsGet } from './verbs/settings-get.ts'
import { settingsSet } from './verbs/settings-set.ts'
import { signingSecretRotate } from './verbs/signing-secret-rotate.ts'
import { signingSecretShow } from './verbs/signing-secret-show.ts'
import { verifyReceiverCommand } from './verbs/verify-receiver.ts'
import { videosList } from './verbs/videos-list.ts'
import { videosRetryAsNew } from './verbs/videos-retry-as-new.ts'
import { videosShow } from './verbs/videos-show.ts'
import { viewersList } from './verbs/viewers-list.ts'
import { viewersRestore } from './verbs/viewers-restore.ts'
import { viewersRevoke } from './verbs/viewers-revoke.ts'
import type { GlobalOptions } from './context.ts'
import { UsageError, errorDocument } from './errors.ts'
import type { CliError } from './errors.ts'
import { UnforeseenError, failureOf } from './failure.ts'
import { createRunner } from './verb.ts'
import type { RegisterVerb } from './verb.ts'

/** Where the command line writes. */
export interface Streams {
  out: (text: string) => void
  error: (text: string) => void
}

const NOUNS: Record<string, { description: string; verbs: RegisterVerb[] }> = {
  accounts: { description: 'create and list accounts', verbs: [accountsCreate, accountsList] },
  keys: {
    description: 'create, list and revoke API keys',
    verbs: [keysCreate, keysList, keysRevoke],
  },
  plan: { description: "show or change an account's plan", verbs: [planShow, planSet] },
  payments: {
    description: 'record and list payments; those through Stripe are recorded automatically',
    verbs: [paymentsRecord, paymentsList],
  },
  settings: {
    description: "show or change an account's player settings",
    verbs: [settingsGet, settingsSet],
  },
  'signing-secret': {
    description: 'show or rotate the secret that signs viewer tokens',
    verbs: [signingSecretShow, signingSecretRotate],
  },
  videos: {
    description: 'list and inspect videos, and make a new one from a failed one',
    verbs: [videosList, videosShow, videosRetryAsNew],
  },
  viewers: {
    description: 'block viewers and let them back in',
    verbs: [viewersRevoke, viewersRestore, viewersList],
  },
  deliveries: {
    description: 'list, retry and replay webhook deliveries',
    verbs: [deliveriesList, deliveriesRetry, deliveriesReplay],
  },
}

/**
 * Runs one command line; resolves to its exit status: 0 done, 1 failed, 2 wrong usage. What fails
 * goes to `streams.error`: words for people, one JSON document under `--json`.
 */
export async function runCli(args: string[], streams: Streams): Promise<number> {
  const program = buildProgram(streams)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const failure = failureOf(error)
    if (isJson(program)) streams.error(`${JSON.stringify(errorDocument(failure))}\n`)
    // Commander has written its own words, and the help that goes with them.
    else if (!(error instanceof CommanderError)) streams.error(`reelgate: ${wordsOf(failure)}\n`)
    return failure instanceof UsageError ? 2 : 1
  }
}

const isJson = (program: Command): boolean => program.opts<GlobalOptions>().json === true

const wordsOf = (failure: CliError): string =>
  failure instanceof UnforeseenError ? (failure.stack ?? failure.message) : failure.message

/** The whole command line, with every verb; nothing is opened before one runs. */
export function buildProgram(streams: Streams): Command {
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
  const run = createRunner(streams.out)
  for (const [name, { description, verbs }] of Object.entries(NOUNS)) {
    const noun = program.command(name).description(description)
    for (const register of verbs) register(noun, run)
  }
  doctor(program, run)
  listen(program, run)
  verifyReceiverCommand(program, run)
  return program
}
