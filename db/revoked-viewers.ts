import type { EntityManager } from './database.ts'
import { RevokedViewer } from './entities/account.ts'

/** Revoked viewers, newest first: of one account, or of all. */
export const listRevokedViewers = (
  em: EntityManager,
  accountId: number | undefined,
  limit: number,
): Promise<RevokedViewer[]> =>
  em.find(RevokedViewer, accountId === undefined ? {} : { accountId }, {
    orderBy: { revokedAt: 'desc', accountId: 'asc', viewerId: 'asc' },
    limit,
  })
