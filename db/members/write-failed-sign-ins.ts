import { sql } from 'kysely'
import type { EntityManager } from '../database.ts'
import { queries } from '../queries.ts'
import { isKept } from './failed-sign-ins.ts'

/** Counts a wrong password for the address of a member, in the member's one row. After 30 days the count begins again. */
export async function countFailedSignIn(em: EntityManager, memberId: number): Promise<void> {
  await sql`
    insert into failed_sign_in as f (member_id) values (${memberId}) on conflict (member_id) do update set
      count = case when f.${isKept} then f.count + 1 else 1 end,
      since = case when f.${isKept} then f.since else now() end`.execute(queries(em))
}
