/** A key, then its values, each a number or a boolean, with or without the task queue for which it is. */
const KEY = /^([\w.]+):$/
const VALUE = /^ {2}- value: (true|false|\d+)$/
const CONSTRAINTS = /^ {4}constraints: \{ taskQueueName: [\w-]+ \}$/

/**
 * Returns the settings of a file of Temporal's dynamic configuration as `KEY=JSON`, the form that the command line takes. It takes no
 * constraints, so values for single task queues, which are numbers of partitions, are left out: one process has all partitions. Each
 * setting needs one other value; throws for anything else in the file, so that no setting of production is left out here.
 */
export function readDynamicConfig(yaml: string): string[] {
  const settings: [key: string, values: string[]][] = []
  for (const line of yaml.split('\n').filter((text) => !/^\s*(?:#|$)/.test(text))) {
    const values = settings.at(-1)?.[1]
    const key = KEY.exec(line)?.[1]
    const value = VALUE.exec(line)?.[1]
    if (key !== undefined) settings.push([key, []])
    else if (value !== undefined && values) values.push(value)
    else if (!CONSTRAINTS.test(line) || values?.pop() === undefined)
      throw new Error(`not a key or a value of it: ${line}`)
  }
  return settings.map(([key, values]) => {
    if (values.length !== 1) throw new Error(`not one value without constraints: ${key}`)
    return `${key}=${values[0]}`
  })
}
