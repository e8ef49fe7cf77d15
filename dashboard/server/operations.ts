import type { Operation } from '../../api/operation.ts'
import { meOperations } from './operations/me.ts'
import { passkeyOperations } from './operations/passkeys.ts'
import { progressOperations } from './operations/progress.ts'
import { videoOperations } from './operations/videos.ts'

/** The operations that only the dashboard has, below `/api/accounts/{account}`. */
export const DASHBOARD_OPERATIONS: readonly Operation[] = [
  ...videoOperations,
  ...progressOperations,
  ...meOperations,
  ...passkeyOperations,
]
