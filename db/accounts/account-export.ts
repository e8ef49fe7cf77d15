import { IsolationLevel } from '@mikro-orm/core'
import type { EntityManager } from '../database.ts'
import { ownedBy, type AccountTable } from './account-table.ts'

const ROWS_AT_ONCE = 1_000

/** Runs `work` with reads of the database as it is at one moment. */
export const atOneMoment = <T>(
  em: EntityManager,
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> =>
  em.transactional(work, { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true })

/** A condition that a row is not too old. */
const isKept = ({ name, timeColumn, keptSql }: AccountTable): string =>
  keptSql ?? (timeColumn === undefined ? 'true' : `t.${timeColumn} >= kept_since('${name}')`)

/** The select of the exported columns of an account's rows, each as a text of JSON. `condition` is on row `t`. */
export const exportSql = (table: AccountTable, condition = 'true'): string => {
  const columns = table.exported.map((column) => `t."${column}"`).join(', ')
  return `select to_jsonb(x)::text as row from (select ${columns} from ${table.name} t
    where ${ownedBy(table)} and ${isKept(table)} and ${condition}) x`
}

/**
 * Reads the exported columns of an account's rows in pages, each row as a line of JSON. Call it in a transaction, one
 * table at a time.
 */
export async function* readRowsOf(
  em: EntityManager,
  accountId: number,
  table: AccountTable,
): AsyncGenerator<string[]> {
  await em.execute(`declare exported no scroll cursor for ${exportSql(table)}`, [accountId])
  for (;;) {
    const rows = await em.execute<{ row: string }[]>(`fetch ${ROWS_AT_ONCE} from exported`)
    if (rows.length === 0) break
    yield rows.map(({ row }) => row)
  }
  await em.execute('close exported')
}
