import { runCli } from './program.ts'

/** Limits the wait at the end for open connections, because a server may not respond. */
const CLOSE_TIMEOUT_MS = 300

process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
})
setTimeout(() => process.exit(), CLOSE_TIMEOUT_MS).unref()
