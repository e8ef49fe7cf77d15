import type { Caller } from './caller.ts'
import type { Commit, Operation } from './operation.ts'

/**
 * Makes a commit that first checks what the caller may do, and holds it: a right that is taken away while the request
 * waits, for its body, another host or a lock, is taken from its write too.
 */
export const withRights =
  (commit: Commit, operation: Operation, caller: Caller): Commit =>
  (work) =>
    commit(async (tx) => {
      await caller.requireIn(tx, operation)
      return work(tx)
    })
