import { Option } from 'commander'
import type { RotationRun } from '../../temporal/rotation-run.ts'
import type { MasterKeyStatus } from '../../views/operator/master-key.ts'
import type { Context } from '../context.ts'
import { readStatus, requestRotation, requireRolledOut } from '../master-key-status.ts'
import { fields, table } from '../output.ts'
import type { RegisterVerbs } from '../verb.ts'
import { begin, continueChange } from './master-key-change.ts'

/** The verbs of `master-key`. */
export const masterKey: RegisterVerbs = (program, run) => {
  const noun = program
    .command('master-key')
    .description('seal the stored secrets under a new version of the master key')
  noun
    .command('status')
    .description(
      'count the stored values by kind and version, and say which version can be dropped',
    )
    .action(run(status))
  const file = new Option(
    '--file <path>',
    'file with MASTER_KEY (default: master.key of the data folder)',
  )
  noun
    .command('begin')
    .description('add a key of a new version to the file; the first step of a change')
    .addOption(file)
    .action(run(begin))
  noun
    .command('continue')
    .description('do the next step of a change of the key, and say what comes after it')
    .addOption(file)
    .action(run(continueChange))
  noun
    .command('rotate')
    .description(
      'seal every stored value under the current version, in the background; first restart every ' +
        'process with both versions, then with the new one first',
    )
    .action(run(rotate))
}

async function status(context: Context): Promise<void> {
  const em = await context.entityManager()
  const facts = await readStatus(em, await context.uncheckedMasterKeys())
  const rotation = await readRotation(context)
  context.out.print({ ...facts, rotation }, statusText(facts, rotation))
}

async function rotate(context: Context): Promise<void> {
  const em = await context.entityManager()
  const before = await readStatus(em, await context.masterKeys())
  const { version } = before
  requireRolledOut(before)
  const isNeeded = before.other_count > 0
  if (isNeeded) await requestRotation(em, version)
  context.out.print(
    { ...before, is_started: isNeeded },
    isNeeded
      ? `Sealing ${before.other_count} values under version ${version}: reelgate master-key status shows the progress.`
      : summary(before),
  )
}

const TEMPORAL_TIMEOUT_MS = 2_000

/** Reads the latest rotation. Null if there was none, or Temporal does not respond. */
async function readRotation(context: Context): Promise<RotationRun | null> {
  const [{ openClient }, { readRotationRun }] = await Promise.all([
    import('../../temporal/connect.ts'),
    import('../../temporal/rotation-run.ts'),
  ])
  const namespace = context.config.namespaces.main
  const client = openClient({ address: context.temporalAddress(), namespace })
  try {
    return await client.withDeadline(Date.now() + TEMPORAL_TIMEOUT_MS, () =>
      readRotationRun(client),
    )
  } catch {
    return null
  } finally {
    await client.connection.close()
  }
}

function statusText(facts: MasterKeyStatus, rotation: RotationRun | null): string {
  const { version, values, percent, total_count: total, other_count: other, processes } = facts
  const rows = values.map((one) => [one.kind, String(one.version ?? '-'), String(one.count)])
  const summaryFields: [string, string][] = [
    ['version', String(version)],
    ['sealed', `${total - other} of ${total} values (${percent} %)`],
    ['rotation', rotation === null ? '-' : rotation.status],
    ...(rotation?.error ? [['error', rotation.error] satisfies [string, string]] : []),
    ...processes.map((one): [string, string] => [
      'process',
      `${one.process}: ${one.versions.join(', ')}`,
    ]),
  ]
  return [
    table(['KIND', 'VERSION', 'VALUES'], rows, 'Nothing is sealed yet.'),
    fields(summaryFields),
    summary(facts),
  ].join('\n\n')
}

function summary({
  version,
  other_count: other,
  droppable_versions: droppable,
  next_version: next,
}: MasterKeyStatus): string {
  if (other > 0)
    return `${other} values need other versions: keep them in MASTER_KEY, and run reelgate master-key rotate.`
  const nothing = `Nothing is sealed under another version than ${version}.`
  if (next !== null)
    return (
      `${nothing} Version ${next} is known and not in use: when every process has it, ` +
      `reelgate master-key continue makes it the current one.`
    )
  return droppable.length === 0
    ? nothing
    : `${nothing} MASTER_KEY no longer needs version ${droppable.join(', ')}, ten minutes after the last restart.`
}
