import { readSystemError } from './system-error.ts'

/** Whether a process with this pid exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process exists but belongs to another user.
    return readSystemError(error).code === 'EPERM'
  }
}
