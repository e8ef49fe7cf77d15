import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { SealingError } from '../security/sealing.ts'
import { accountsCreate } from './commands/accounts-create.ts'
import { accountsList } from './commands/accounts-list.ts'
import { deliveriesList } from './commands/deliveries-list.ts'
import { deliveriesReplay } from './commands/deliveries-replay.ts'
import { deliveriesRetry } from './commands/deliveries-retry.ts'
import { doctor } from './commands/doctor.ts'
import { keysCreate } from './commands/keys-create.ts'
import { keysList } from './commands/keys-list.ts'
import { keysRevoke } from './commands/keys-revoke.ts'
import { listen } from './commands/listen.ts'
import { paymentsList } from './commands/payments-list.ts'
import { paymentsRecord } from './commands/payments-record.ts'
import { planSet } from './commands/plan-set.ts'
import { planShow } from './commands/plan-show.ts'
import { settingsGet } from './commands/settings-get.ts'
import { settingsSet } from './commands/settings-set.ts'
import { signingSecretRotate } from './commands/signing-secret-rotate.ts'
import { signingSecretShow } from './commands/signing-secret-show.ts'
import { verifyReceiverCommand } from './commands/verify-receiver.ts'
import { videosList } from './commands/videos-list.ts'
import { videosShow } from './commands/videos-show.ts'
import { viewersList } from './commands/viewers-list.ts'
import { viewersRestore } from './commands/viewers-restore.ts'
import { viewersRevoke } from './commands/viewers-revoke.ts'
import { CliError, UsageError } from './errors.ts'
import { createRunner } from './verb.ts'
import type { RegisterVerb } from './verb.ts'

/** Where the command line writes. */
export interface Streams {
  out: (text: string) => void
  error: (text: string) => void
}

const NOUNS: Record<string, { description: string; verbs: RegisterVerb[] }> = {
  accounts: { description: 'accounts', verbs: [accountsCreate, accountsList] },
  keys: { description: 'API keys', verbs: [keysCreate, keysList, keysRevoke] },
  plan: { description: "an account's plan", verbs: [planShow, planSet] },
  payments: {
    description: 'payments; Stripe, where it is connected, records its own',
    verbs: [paymentsRecord, paymentsList],
  },
  settings: { description: "an account's player settings", verbs: [settingsGet, settingsSet] },
  'signing-secret': {
    description: 'the secret that signs viewer tokens',
    verbs: [signingSecretShow, signingSecretRotate],
  },
  videos: { description: 'videos', verbs: [videosList, videosShow] },
  viewers: {
    description: 'viewers who may play nothing of an account',
    verbs: [viewersRevoke, viewersRestore, viewersList],
  },
  deliveries: {
    description: 'webhook deliveries',
    verbs: [deliveriesList, deliveriesRetry, deliveriesReplay],
  },
}

/** Runs one command line; resolves to its exit status: 0 done, 1 failed, 2 wrong usage. */
export async function runCli(args: string[], streams: Streams): Promise<number> {
  try {
    await buildProgram(streams).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    streams.error(`reelgate: ${describe(error)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

function buildProgram(streams: Streams): Command {
  const program = new Command('reelgate')
    .description("The operator's commands")
    .option('--json', 'write JSON instead of text')
    .option('--data-dir <dir>', 'the state of the embedded services (default: .reelgate)')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: streams.out, writeErr: streams.error })
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

/** What went wrong, for the person at the terminal; a stack only where nobody foresaw it. */
function describe(error: unknown): string {
  if (error instanceof CliError || error instanceof ConfigError || error instanceof SealingError)
    return error.message
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '57P03')
    return 'the database does not answer: is it running? (reelgate doctor tells more)'
  if (code === '42P01')
    return 'the database has no tables yet: start it once, so that it is migrated: npm start'
  return error instanceof Error ? (error.stack ?? error.message) : String(message ?? error)
}
