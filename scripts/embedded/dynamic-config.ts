/**
 * Returns the settings of a file of Temporal's dynamic configuration as `KEY=JSON`, the form that the command line takes.
 * Each setting has one value, a number or a boolean, without constraints; throws for anything else in the file, so that
 * no setting of production is left out here.
 */
export function readDynamicConfig(yaml: string): string[] {
  const lines = yaml.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line))
  const settings: string[] = []
  for (let at = 0; at < lines.length; at += 2) {
    const key = /^([\w.]+):$/.exec(lines[at] ?? '')?.[1]
    const value = /^ {2}- value: (true|false|\d+)$/.exec(lines[at + 1] ?? '')?.[1]
    if (key === undefined || value === undefined)
      throw new Error(`not one key with one value: ${lines.slice(at, at + 2).join(' ')}`)
    settings.push(`${key}=${value}`)
  }
  return settings
}
