type Waiting<Input, Output> = PromiseWithResolvers<Output> & { input: Input }

/**
 * Makes one statement of many calls: while `atOnce` statements are under way, further calls wait,
 * and then share one. A call that finds room is sent at once, and none gets what was read before it
 * came. `run` resolves to an output for each input, in their order; an output that is a promise
 * holds up nobody but its own call.
 */
export function inBatches<Input, Output>(
  run: (inputs: Input[]) => Promise<(Output | Promise<Output>)[]>,
  atOnce: number,
): (input: Input) => Promise<Output> {
  const waiting: Waiting<Input, Output>[] = []
  let running = 0
  const runAll = async (first: Waiting<Input, Output>): Promise<void> => {
    running += 1
    for (let batch = [first]; batch.length > 0; batch = waiting.splice(0))
      await run(batch.map(({ input }) => input)).then(
        (outputs) => batch.forEach(({ resolve }, at) => resolve(outputs[at] as Output)),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      )
    running -= 1
  }
  return (input) => {
    const own = { input, ...Promise.withResolvers<Output>() }
    if (running >= atOnce) waiting.push(own)
    else void runAll(own)
    return own.promise
  }
}
