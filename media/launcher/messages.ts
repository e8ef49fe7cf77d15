/** What a process and its launcher say to each other. `id` is that of a tool, given by the process. */
export type ToLauncher =
  { id: number; do: 'start'; command: ToolCommand } | { id: number; do: 'kill'; signal: KillSignal }

export type FromLauncher =
  | { id: number; is: 'stdout'; text: string }
  | { id: number; is: 'stderr'; text: string }
  | { id: number; is: 'ended'; exitCode: number | null; killedBy: string | null }
  | { id: number; is: 'failed'; message: string }

export interface ToolCommand {
  program: string
  args: string[]
  /** The whole environment of the tool. */
  env: Record<string, string>
  /** From 0 to 19: how far it yields the processor to other tools. */
  niceness: number
}

export type KillSignal = 'SIGTERM' | 'SIGKILL'

export interface ToolEnd {
  exitCode: number | null
  killedBy: string | null
}
