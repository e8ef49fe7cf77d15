import type { Command } from 'commander'
import { openContext } from './context.ts'
import type { Context, GlobalOptions } from './context.ts'
import { createOutput } from './output.ts'

/** What a verb does with its options and arguments; it writes through `context.out`. */
type Action<Options> = (
  context: Context,
  options: Options & GlobalOptions,
  args: string[],
) => Promise<void>

/** Turns an Action into a handler for commander, with a context around it. */
export type Runner = <Options>(action: Action<Options>) => (...params: unknown[]) => Promise<void>

/** Adds one verb to its noun. */
export type RegisterVerb = (noun: Command, run: Runner) => void

/** A Runner whose verbs write to `write`. */
export const createRunner =
  (write: (text: string) => void): Runner =>
  (action) =>
  async (...params) => {
    // Commander hands over the arguments, then the options, then the command.
    const command = params.at(-1) as Command
    const options = command.optsWithGlobals<Parameters<typeof action>[1]>()
    const context = await openContext(options, createOutput(options.json === true, write))
    try {
      await action(context, options, params.slice(0, -2).flat() as string[])
    } finally {
      await context.close()
    }
  }
