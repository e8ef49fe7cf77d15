import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'

/** A child process that replies to each message with one message. */
export interface IpcProcess {
  /** Sends a message and resolves to the reply, one at a time. Rejects if the process ends. */
  ask<T>(message: unknown): Promise<T>
  stop(): Promise<void>
}

/** Starts `script` (a path in the project) and resolves after its first message. */
export async function startIpcProcess(script: string, args: string[]): Promise<IpcProcess> {
  const child = fork(join(projectDir, script), args, {
    cwd: projectDir,
    execPath: pinnedNode,
    execArgv: ['--no-warnings'],
    // Its output must not mix with the table or the JSON on stdout.
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`${script} ended with ${String(status)}`)
  })
  ended.catch(() => {})
  const reply = async <T>(): Promise<T> => {
    const [message] = await Promise.race([once(child, 'message'), ended])
    return message as T
  }
  await reply()
  return {
    ask(message) {
      const responded = reply<never>()
      child.send(message as object)
      return responded
    },
    async stop() {
      if (child.connected) child.disconnect()
      await ended.catch(() => {})
    },
  }
}
