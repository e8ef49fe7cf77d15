import { Command } from 'commander'
import { openContext, type Context, type GlobalOptions } from './context.ts'
import { createOutput, type Terminal } from './output.ts'

/** Where the command line writes. */
export interface Streams {
  out: (text: string) => void
  error: (text: string) => void
  /** What `error` writes to, if it is a terminal. */
  terminal?: Terminal | undefined
}

/** The work of a verb; `args` are the arguments as text. It writes through `context.out`. */
type Action<Options> = (
  context: Context,
  options: Options & GlobalOptions,
  args: string[],
) => Promise<void>

/** Wraps an Action in a handler for commander, which opens and closes the context. */
export type Runner = <Options>(action: Action<Options>) => (...params: unknown[]) => Promise<void>

/** Adds the verbs of a noun, or a single verb, to the program. */
export type RegisterVerbs = (program: Command, run: Runner) => void

/** Creates a Runner whose verbs write to `streams` and read `environment`, by default the process's. */
export const createRunner =
  (streams: Streams, environment?: NodeJS.ProcessEnv): Runner =>
  (action) =>
  async (...params) => {
    // Commander passes the arguments, then the options, then its Command.
    const command = params.at(-1)
    if (!(command instanceof Command)) throw new TypeError('Commander passed no command.')
    const options = command.optsWithGlobals<Parameters<typeof action>[1]>()
    const out = createOutput(options.json === true, streams.out, streams.error, streams.terminal)
    const context = await openContext(options, out, environment)
    try {
      await action(context, options, command.args)
    } finally {
      await context.close()
    }
  }
