import { setTimeout as sleep } from 'node:timers/promises'
import type { TransactionOptions } from '@mikro-orm/core'
import { EntityManager } from '@mikro-orm/postgresql'
import { databaseFaultOf } from './errors.ts'

/** The longest waits before a transaction is repeated; random, so that two that collided do not collide again. */
const REPEAT_WAITS_MS = [20, 80, 320]

/**
 * Repeats a transaction that PostgreSQL has rolled back because of another one, at most three times. The work of a
 * transaction therefore may run several times: it has no effects outside the database. A transaction with an isolation
 * level of its own runs once: it is a snapshot for readers who take its rows one by one.
 */
export class RepeatingEntityManager extends EntityManager {
  override async transactional<T>(
    work: (em: this) => T | Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    // A part of a transaction cannot be repeated alone.
    if (this.isInTransaction() || options.isolationLevel !== undefined)
      return super.transactional(work, options)
    for (const waitMs of REPEAT_WAITS_MS)
      try {
        return await super.transactional(work, { ...options })
      } catch (error) {
        const fault = databaseFaultOf(error)
        if (fault !== 'collision' && fault !== 'missing_parent') throw error
        await sleep(Math.random() * waitMs)
      }
    return super.transactional(work, { ...options })
  }
}
