import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from '../../child-process.ts'
import { MachineError } from '../media-error.ts'
import type { FromLauncher, KillSignal, ToLauncher, ToolCommand, ToolEnd } from './messages.ts'

/** A tool that runs. */
export interface LaunchedTool {
  /** Sends a signal to the group of the tool, unless it has ended. */
  kill: (signal: KillSignal) => void
  /** Call it at once: nothing arrives before the end of the current task. */
  readOutput: (output: ToolOutput) => void
  /** Rejects if the tool could not be started, and with a MachineError if it was lost with the launcher. */
  ended: Promise<ToolEnd>
}

/** What is called with what a tool writes. */
export interface ToolOutput {
  onStdout: (text: string) => void
  onStderr: (text: string) => void
}

/**
 * Starts a tool as the leader of a process group, through the launcher of this process: the start takes some 30 ms from a process
 * of 0.8 GB, in which that process does nothing else, and 2 ms from a small one (ADR 0069). The tool ends when this process does.
 */
export function launchTool(command: ToolCommand): LaunchedTool {
  launch ??= startLauncher()
  return launch(command)
}

type Launch = (command: ToolCommand) => LaunchedTool

let launch: Launch | undefined

interface RunningTool {
  output?: ToolOutput
  end: PromiseWithResolvers<ToolEnd>
}

function startLauncher(): Launch {
  const child = fork(fileURLToPath(import.meta.resolve('./launcher-process.ts')), {
    env: bareEnvironment(),
    execArgv: [],
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const tools = new Map<number, RunningTool>()
  let lastId = 0
  let isLost = false
  const lose = (reason: string): void => {
    if (isLost) return
    isLost = true
    launch = undefined
    for (const { end } of tools.values()) end.reject(new MachineError(reason))
    tools.clear()
  }
  child.on('message', (message: FromLauncher) => {
    handle(message, tools)
    if (tools.size === 0) holdProcess(child, false)
  })
  child.once('error', ({ message }) => lose(`The launcher of tools has failed: ${message}`))
  child.once('exit', () => lose('The launcher of tools has ended'))
  holdProcess(child, false)

  return (command) => {
    lastId += 1
    const id = lastId
    const tool: RunningTool = { end: Promise.withResolvers() }
    tools.set(id, tool)
    holdProcess(child, true)
    const send = (message: ToLauncher): void => {
      // The end of the launcher has an event of its own.
      if (child.connected) child.send(message, () => undefined)
    }
    send({ id, do: 'start', command })
    return {
      kill: (signal) => send({ id, do: 'kill', signal }),
      readOutput: (output) => void (tool.output = output),
      ended: tool.end.promise,
    }
  }
}

function handle(message: FromLauncher, tools: Map<number, RunningTool>): void {
  const tool = tools.get(message.id)
  if (!tool) return
  switch (message.is) {
    case 'stdout':
      return tool.output?.onStdout(message.text)
    case 'stderr':
      return tool.output?.onStderr(message.text)
    case 'failed':
      tools.delete(message.id)
      return tool.end.reject(new MachineError(message.message))
    case 'ended':
      tools.delete(message.id)
      return tool.end.resolve({ exitCode: message.exitCode, killedBy: message.killedBy })
  }
}

/** A launcher without tools keeps no process from ending. */
function holdProcess(child: ChildProcess, isHeld: boolean): void {
  const change = isHeld ? 'ref' : 'unref'
  child[change]()
  child.channel?.[change]()
}
