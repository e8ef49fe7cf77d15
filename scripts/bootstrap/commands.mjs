import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { inheritedEnvironment, searchPath } from './environment.mjs'
import { SetupError } from './report.mjs'

const OUTPUT_KEPT_BYTES = 64 * 1024
const running = new Set()

// Otherwise a build would go on after a cancelled bootstrap.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Returns the path of the first of `names` on the PATH, or null. */
export const findProgram = (...names) => findIn(searchPath(), names)

/** Returns the path of a server program, or null. Distributions install these in folders of root's PATH only. */
export const findInSbin = (...names) => findIn(['/usr/local/sbin', '/usr/sbin'], names)

function findIn(folders, names) {
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name)
      try {
        accessSync(path, constants.X_OK)
        return path
      } catch {
        // Not in this folder.
      }
    }
  }
  return null
}

/**
 * Runs a program and resolves to the last 64 KiB of its stdout and stderr. Rejects with a SetupError
 * that contains this output if the program fails or exceeds `timeoutMs`.
 */
export function runCommand(program, args, { cwd, env, timeoutMs = 30 * 60_000 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...inheritedEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    })
    running.add(child)
    let output = ''
    const keep = (chunk) => {
      output = (output + chunk).slice(-OUTPUT_KEPT_BYTES)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => {
      running.delete(child)
      reject(new SetupError(`${program} could not be started: ${error.message}`))
    })
    child.on('close', (status, signal) => {
      running.delete(child)
      if (status === 0) return resolve(output)
      const ending = signal ? `was ended by ${signal}` : `ended with status ${status}`
      reject(new SetupError(`${[program, ...args].join(' ')} ${ending}:\n${output.trim()}`))
    })
  })
}
