type Waiting<Input, Output> = PromiseWithResolvers<Output> & { input: Input }

/**
 * Makes one statement of many calls: while `atOnce` statements of a key are under way, further calls
 * with it wait, and then share one. A call that finds room is sent at once, and none gets what was
 * read before it came. `run` resolves to an output for each input, in their order.
 */
export function inBatches<Input, Output>(
  run: (key: string, inputs: Input[]) => Promise<Output[]>,
  atOnce: number,
): (key: string, input: Input) => Promise<Output> {
  const keys = new Map<string, { running: number; waiting: Waiting<Input, Output>[] }>()
  const runAll = async (key: string, first: Waiting<Input, Output>): Promise<void> => {
    const state = keys.get(key) ?? { running: 0, waiting: [] }
    keys.set(key, state)
    state.running += 1
    for (let batch = [first]; batch.length > 0; batch = state.waiting.splice(0))
      await run(
        key,
        batch.map(({ input }) => input),
      ).then(
        (outputs) => batch.forEach(({ resolve }, at) => resolve(outputs[at] as Output)),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      )
    state.running -= 1
    if (state.running === 0) keys.delete(key)
  }
  return (key, input) => {
    const own = { input, ...Promise.withResolvers<Output>() }
    const state = keys.get(key)
    if (state && state.running >= atOnce) state.waiting.push(own)
    else void runAll(key, own)
    return own.promise
  }
}
