import { exportSql } from '../accounts/account-export.ts'
import { ACCOUNT_TABLES } from '../accounts/account-tables.ts'
import type { EntityManager } from '../database.ts'

/** The tables whose rows name a viewer. */
const TABLES = ACCOUNT_TABLES.filter(({ exported }) => exported.includes('viewer_id'))

/** Returns the rows of a viewer, by table, with the columns that an export of the account has. Tables without any are left out. */
export async function readRowsOfViewer(
  em: EntityManager,
  accountId: number,
  viewerId: string,
): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {}
  for (const table of TABLES) {
    const statement = exportSql(table, 't.viewer_id = ?')
    const rows = await em.execute<{ row: string }[]>(statement, [accountId, viewerId])
    if (rows.length > 0) tables[table.name] = rows.map(({ row }): unknown => JSON.parse(row))
  }
  return tables
}
