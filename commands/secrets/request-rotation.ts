import type { EntityManager } from '../../db/database.ts'
import { requestWorkflows } from '../../db/outbox/write-workflow-requests.ts'

/** Requests the workflow that seals every stored value under a version of the master key. */
export const requestMasterKeyRotation = (tx: EntityManager, version: number): Promise<void> =>
  requestWorkflows(tx, [{ command: 'rotate-master-key', subjectId: String(version), accountId: 0 }])
