import { setTimeout as sleep } from 'node:timers/promises'
import type { TransactionOptions } from '@mikro-orm/core'
import { EntityManager } from '@mikro-orm/postgresql'
import { databaseFaultOf } from './errors.ts'

/** The longest waits before a transaction is repeated; random, so that two that collided do not collide again. */
const REPEAT_WAITS_MS = [20, 80, 320]

/**
 * Repeats a transaction, or a statement that is one, while PostgreSQL rolls it back because of another one, at most three times:
 * also one that waited for a row which the other one moved to another partition.
 */
export async function repeatCollisions<T>(run: () => Promise<T>): Promise<T> {
  for (const waitMs of REPEAT_WAITS_MS)
    try {
      return await run()
    } catch (error) {
      const fault = databaseFaultOf(error)
      if (fault !== 'collision' && fault !== 'missing_parent') throw error
      await sleep(Math.random() * waitMs)
    }
  return run()
}

/**
 * Repeats a transaction that PostgreSQL has rolled back because of another one, at most three times. The work of a
 * transaction therefore may run several times: it has no effects outside the database. A transaction with an isolation
 * level of its own runs once: it is a snapshot for readers who take its rows one by one.
 */
export class RepeatingEntityManager extends EntityManager {
  /** Actions to run after the commit of the running transaction, which its savepoints share; null outside `transactional`. */
  private afterCommit: Set<() => void> | null = null

  /** Calls `action` after the commit of the running `transactional`, or now outside one. The same function runs once. */
  onCommit(action: () => void): void {
    if (this.afterCommit) this.afterCommit.add(action)
    else action()
  }

  override async transactional<T>(
    work: (em: this) => T | Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    // A part of a transaction cannot be repeated alone.
    if (this.isInTransaction())
      return super.transactional(this.withActions(work, this.afterCommit), options)
    if (options.isolationLevel !== undefined) return this.runWhole(work, options)
    return repeatCollisions(() => this.runWhole(work, options))
  }

  /** Runs a transaction once, then the actions that wait for its commit. */
  private async runWhole<T>(
    work: (em: this) => T | Promise<T>,
    options: TransactionOptions,
  ): Promise<T> {
    const actions = new Set<() => void>()
    const result = await super.transactional(this.withActions(work, actions), { ...options })
    for (const action of actions) action()
    return result
  }

  private withActions<T>(
    work: (em: this) => T | Promise<T>,
    actions: Set<() => void> | null,
  ): (em: this) => T | Promise<T> {
    return (em) => {
      em.afterCommit = actions
      return work(em)
    }
  }
}
