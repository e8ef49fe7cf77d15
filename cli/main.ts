import { runCli } from './program.ts'

/** For what is still open when the command is done, such as a request to a server that is silent. */
const GOODBYE_MS = 300

process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
})
setTimeout(() => process.exit(), GOODBYE_MS).unref()
