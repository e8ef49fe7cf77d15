import { execa } from 'execa'

/** What a client is generated from, and where. */
interface Workplace {
  /** The OpenAPI document that the service serves, as a file. */
  document: string
  /** An empty folder. */
  folder: string
}

/** A program with calls through a generated client. */
export interface CallProgram {
  command: string
  args: string[]
  cwd: string
  env?: Record<string, string>
}

/** A generator with its client. */
export interface GeneratedClient {
  name: string
  /** Installs the generator. Throws a MissingProgramError if a program is missing that this cannot install. */
  prepare(): Promise<unknown>
  /** Generates the client and compiles it with its calls. Returns null for a client that is not run, with the reason in `unrun`. */
  make(workplace: Workplace): Promise<CallProgram | null>
  unrun?: string
  /** Calls that it cannot make, because its generator does not write what they need. */
  lacks?: readonly string[]
}

const MINUTES_MAX = 8

/** Runs a step of a client. Throws with its output if it fails. */
export async function step(
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  const { exitCode, all } = await execa(command, args, {
    cwd,
    env,
    all: true,
    reject: false,
    timeout: MINUTES_MAX * 60_000,
    stdin: 'ignore',
  })
  if (exitCode !== 0) throw new Error(`${command} ${args[0]} failed:\n${all.slice(-OUTPUT_MAX)}`)
  return all
}

const OUTPUT_MAX = 4_000
