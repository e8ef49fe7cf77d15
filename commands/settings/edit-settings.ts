import type { EntityManager } from '../../db/database.ts'
import { findAndLockAccount } from '../../db/accounts.ts'
import type { PlayerSettings } from '../../domain/player-settings.ts'

/**
 * Changes the player settings of an account with `edit`, which returns the new settings or throws to
 * leave them unchanged. The account's row is locked during the edit, so of two concurrent edits the second
 * starts from the result of the first. Returns the new settings, or null when there is no such account.
 */
export async function editSettings(
  em: EntityManager,
  accountId: number,
  edit: (settings: PlayerSettings) => PlayerSettings,
): Promise<PlayerSettings | null> {
  return em.transactional(async (tx) => {
    const account = await findAndLockAccount(tx, accountId)
    if (!account) return null
    account.settings = edit(account.settings)
    return account.settings
  })
}
