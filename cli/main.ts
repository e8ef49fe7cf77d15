import { runCli } from './program.ts'

/** Time for what is still open at the end, such as a request to a server that does not respond. */
const CLOSE_TIMEOUT_MS = 300

process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
})
setTimeout(() => process.exit(), CLOSE_TIMEOUT_MS).unref()
