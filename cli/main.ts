import { readSystemError } from '../processes/system-error.ts'
import { cliErrorOf } from './errors.ts'
import { errorText, runCli } from './program.ts'

/** Limits the wait at the end for open connections, because a server may not respond. */
const CLOSE_TIMEOUT_MS = 300

const args = process.argv.slice(2)
process.stdout.on('error', (error) => {
  // The reader of a pipe may end before its writer, as `head` does.
  if (readSystemError(error).code !== 'EPIPE')
    process.stderr.write(errorText(cliErrorOf(error), args.includes('--json')))
  process.exit(1)
})
process.stderr.on('error', () => {})

process.exitCode = await runCli(args, {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
  terminal: process.stderr.isTTY ? process.stderr : undefined,
})
setTimeout(() => process.exit(), CLOSE_TIMEOUT_MS).unref()
