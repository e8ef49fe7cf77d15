import { userInfo } from 'node:os'
import type { Actor } from '../domain/accounts/audit.ts'

/** The user of this command line, as the audit log names them. */
export const operatorActor = (): Actor => ({ kind: 'operator', id: null, name: userName() })

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a user without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
