import { ACCOUNT_TABLES, ownedBy } from '../accounts/account-tables.ts'
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
    const columns = table.exported.map((column) => `t."${column}"`).join(', ')
    const rows = await em.execute<{ row: unknown }[]>(
      `select to_jsonb(x) as row from (select ${columns} from ${table.name} t
       where ${ownedBy(table)} and t.viewer_id = ?) x`,
      [accountId, viewerId],
    )
    if (rows.length > 0) tables[table.name] = rows.map(({ row }) => row)
  }
  return tables
}
