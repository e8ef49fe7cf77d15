type Waiting<Input, Output> = PromiseWithResolvers<Output> & { input: Input }

/**
 * Makes one statement of many calls: calls with a key whose statement is under way wait for it, and
 * then share the next. A lone call is sent at once, and no call gets what was read before it came.
 * `run` resolves to an output for each input, in their order.
 */
export function inBatches<Input, Output>(
  run: (key: string, inputs: Input[]) => Promise<Output[]>,
): (key: string, input: Input) => Promise<Output> {
  const waiting = new Map<string, Waiting<Input, Output>[]>()
  const take = (key: string): Waiting<Input, Output>[] => {
    const batch = waiting.get(key) ?? []
    waiting.set(key, [])
    return batch
  }
  const runAll = async (key: string): Promise<void> => {
    for (let batch = take(key); batch.length > 0; batch = take(key))
      await run(
        key,
        batch.map(({ input }) => input),
      ).then(
        (outputs) => batch.forEach(({ resolve }, at) => resolve(outputs[at] as Output)),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      )
    waiting.delete(key)
  }
  return (key, input) => {
    const own = { input, ...Promise.withResolvers<Output>() }
    const others = waiting.get(key)
    if (others) others.push(own)
    else {
      waiting.set(key, [own])
      void runAll(key)
    }
    return own.promise
  }
}
