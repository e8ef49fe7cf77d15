import { setTimeout as sleep } from 'node:timers/promises'
import { addVideo } from '../service/account.ts'
import { findRows, type ServiceRecord } from '../service/judge.ts'
import type { RecordOptions } from '../service/with-record.ts'

/** A fault that needs its own installation, because it lasts longer than the planned ones or changes the machine. */
export interface Scenario {
  name: string
  /** A line about the fault. */
  title: string
  /** True for one that only root can make. */
  needsRoot: boolean
  /** True for one that runs in a network namespace of its own. */
  needsNetwork?: boolean
  options: Omit<RecordOptions, 'seed' | 'tell'>
  /** Makes the fault during work. Afterwards the judges wait for the end of the work. */
  run: (record: ServiceRecord, tell: (line: string) => void) => Promise<void>
}

/** Adds `count` videos of each account, whose source is the integrator's file at `path`. */
export async function addVideos(
  { world, accounts }: ServiceRecord,
  path: string,
  count: number,
): Promise<void> {
  for (const account of accounts)
    for (let number = 1; number <= count; number += 1)
      await addVideo(world, account, { path, title: `Video ${number}` })
}

const WAIT_MS = 600_000
const LOOK_MS = 500

/** Resolves when all videos have one of these statuses. Throws with the others when that takes too long. */
export async function untilAll(record: ServiceRecord, statuses: string[]): Promise<void> {
  const giveUpAtMs = performance.now() + WAIT_MS
  for (;;) {
    // A fault may have killed the database.
    const others = await findRows<{ id: string; status: string }>(
      record,
      'select id, status from video where not status = any(?)',
      [`{${statuses.join()}}`],
    ).catch(() => null)
    if (others?.length === 0) return
    if (performance.now() > giveUpAtMs)
      throw new Error(`not ${statuses.join(' or ')} in time: ${JSON.stringify(others)}`)
    await sleep(LOOK_MS)
  }
}
