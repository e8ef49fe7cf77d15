import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** What a command printed, and when. */
export interface TimedRun {
  status: number | null
  /** stdout and stderr, as a person would read them. */
  output: string
  /** Each line with the seconds since the start of the command. */
  lines: { text: string; atSeconds: number }[]
  seconds: number
}

/** Runs a program to its end. Never rejects for its status; a run longer than `timeoutMs` is killed. */
export function runWithTimes(
  program: string,
  args: string[],
  { env, timeoutMs }: { env: Record<string, string>; timeoutMs: number },
): Promise<TimedRun> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const elapsed = (): number => (performance.now() - startedAt) / 1000
    const child = spawn(program, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    })
    const lines: TimedRun['lines'] = []
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (text) => lines.push({ text, atSeconds: elapsed() }))
    child.once('error', reject)
    child.once('close', (status) => {
      const output = lines.map(({ text }) => text).join('\n')
      resolve({ status, output, lines, seconds: elapsed() })
    })
  })
}

/** Returns the seconds at which the first line that matches appeared. Throws if none does. */
export function secondsOfLine({ lines, output }: TimedRun, pattern: RegExp): number {
  const line = lines.find(({ text }) => pattern.test(text))
  if (!line) throw new Error(`no line matches ${pattern}:\n${output}`)
  return line.atSeconds
}

/** Returns the seconds that the bootstrap reports for a finished part, null if it reports none. */
export function secondsOfPart({ output }: TimedRun, part: RegExp): number | null {
  const line = output.split('\n').find((text) => text.includes('✓') && part.test(text))
  const seconds = line === undefined ? undefined : /\(([\d.]+) s\)\s*$/.exec(line)?.[1]
  return seconds === undefined ? null : Number(seconds)
}
