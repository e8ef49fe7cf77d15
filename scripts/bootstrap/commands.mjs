import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { inheritedEnvironment, searchPath } from './environment.mjs'
import { SetupError } from './report.mjs'

const OUTPUT_KEPT_BYTES = 64 * 1024
const running = new Set()

// A build that outlives a cancelled bootstrap would go on eating the machine.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Path of the first of `names` found on the PATH, or null. */
export const findProgram = (...names) => findIn(searchPath(), names)

/** Path of a server's program, which distributions keep where only root's PATH leads, or null. */
export const findInSbin = (...names) => findIn(['/usr/local/sbin', '/usr/sbin'], names)

function findIn(folders, names) {
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name)
      try {
        accessSync(path, constants.X_OK)
        return path
      } catch {
        // Not in this folder: try the next.
      }
    }
  }
  return null
}

/**
 * Runs a program to its end and resolves to what it wrote (the last 64 KiB of stdout and stderr).
 * Rejects with a SetupError carrying that output when it fails or outlasts `timeoutMs`.
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
