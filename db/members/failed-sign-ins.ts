import { sql } from 'kysely'
import { FAILED_SIGN_INS_KEPT_DAYS } from '../../domain/limits.ts'
import type { EntityManager } from '../database.ts'
import type { FailedSignIn } from '../entities/member.ts'
import { queries } from '../queries.ts'

export const isKept = sql<boolean>`since > now() - ${FAILED_SIGN_INS_KEPT_DAYS}::int * interval '1 day'`

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
