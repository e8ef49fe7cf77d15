import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pinnedNode, projectDir } from '../../scripts/bootstrap/tools.mjs'

/** A process of the benchmark's own that answers each message with one. */
export interface AskedProcess {
  /** One question at a time; rejects where the process ends instead of answering. */
  ask<T>(question: unknown): Promise<T>
  stop(): Promise<void>
}

/** Starts `script` (a path from the project's folder) and resolves when it has sent a first message. */
export async function startAskedProcess(script: string, args: string[]): Promise<AskedProcess> {
  const child = fork(join(projectDir, script), args, {
    cwd: projectDir,
    execPath: pinnedNode,
    execArgv: ['--no-warnings'],
    // What it writes must not stand in the table or the JSON.
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`${script} ended with ${String(status)}`)
  })
  ended.catch(() => {})
  const answer = async <T>(): Promise<T> => {
    const [message] = await Promise.race([once(child, 'message'), ended])
    return message as T
  }
  await answer()
  return {
    ask(question) {
      const answered = answer<never>()
      child.send(question as object)
      return answered
    },
    async stop() {
      if (child.connected) child.disconnect()
      await ended.catch(() => {})
    },
  }
}
