import type { SweepKind } from '../../domain/sweep.ts'
import type { EntityManager } from '../database.ts'

/** Records where the sweep of a kind continues; null for the first row. */
export async function writeSweepPosition(
  em: EntityManager,
  kind: SweepKind,
  after: string | null,
): Promise<void> {
  if (after === null) await em.execute('delete from sweep_position where kind = ?', [kind])
  else
    await em.execute(
      `insert into sweep_position (kind, after) values (?, ?)
       on conflict (kind) do update set after = excluded.after`,
      [kind, after],
    )
}
