type Waiting<Input, Output> = PromiseWithResolvers<Output> & { input: Input }

/**
 * Combines calls into shared statements. While `atOnce` statements are running, further calls wait
 * and then share the next one; otherwise a call is sent immediately. No call gets a result that was
 * read before it was made. `run` resolves to an output for each input, in their order; an output that
 * is a promise delays only its own call.
 *
 * The package `dataloader` is as fast on a local database, but it does not limit the statements that
 * run. Measured with `findPlayback` at 2,000 calls a second and a database that takes 20 ms: 29 ms at
 * the median and 46 ms at the 99th percentile here, 479 ms and 799 ms there, because a statement for
 * each turn of the event loop exhausts the pool. Its default schedule, a batch for each tick, combines
 * no requests of separate sockets: 192 µs of processor time a call instead of 54 µs at 100 connections.
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
        (outputs) => outputs.forEach((output, index) => batch[index]?.resolve(output)),
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
