import { sql } from 'kysely'
import { FAILED_SIGN_INS_KEPT_DAYS } from '../../domain/limits.ts'
import type { EntityManager } from '../database.ts'
import type { FailedSignIn } from '../entities/member.ts'
import { queries } from '../queries.ts'

const isKept = sql<boolean>`since > now() - ${FAILED_SIGN_INS_KEPT_DAYS}::int * interval '1 day'`

/** Counts a wrong password for the address of a member, in the member's one row. After 30 days the count begins again. */
export async function countFailedSignIn(em: EntityManager, memberId: number): Promise<void> {
  await sql`
    insert into failed_sign_in as f (member_id) values (${memberId}) on conflict (member_id) do update set
      count = case when f.${isKept} then f.count + 1 else 1 end,
      since = case when f.${isKept} then f.since else now() end`.execute(queries(em))
}

/** How often a wrong password was entered for the member's address within 30 days; null if none was. */
export const findFailedSignIns = async (
  em: EntityManager,
  memberId: number,
): Promise<FailedSignIn | null> =>
  (await queries(em)
    .selectFrom('failed_sign_in')
    .selectAll()
    .where('memberId', '=', memberId)
    .where(isKept)
    .executeTakeFirst()) ?? null
