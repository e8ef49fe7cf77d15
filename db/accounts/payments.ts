import type { EntityManager } from '../database.ts'
import { Payment } from '../entities/account.ts'
import { byId, findPage, given, type Page, type PageRequest } from '../page.ts'

/** The payment with this reference, or null. */
export const findPayment = (em: EntityManager, reference: string): Promise<Payment | null> =>
  em.findOne(Payment, { reference })

/** Payments, newest first: of one account, or of all. */
export const listPayments = (
  em: EntityManager,
  { accountId, limit }: { accountId?: number | undefined; limit: number },
): Promise<Payment[]> => em.find(Payment, given({ accountId }), { orderBy: { id: 'desc' }, limit })

/** A page of the account's payments, newest first. */
export function pagePayments(
  em: EntityManager,
  accountId: number,
  request: PageRequest<number>,
): Promise<Page<Payment>> {
  return findPage(request, (read) => {
    const { where, orderBy } = byId(read)
    return em.find(Payment, { accountId, ...where }, { orderBy, limit: read.limit })
  })
}
