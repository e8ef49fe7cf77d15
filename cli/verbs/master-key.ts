import type { EntityManager } from '../../db/database.ts'
import { findMasterKeyHolders } from '../../db/master-key-holders.ts'
import { countSealedValues } from '../../db/sealed-values.ts'
import { requestWorkflows } from '../../db/workflow-requests.ts'
import { versionsOf } from '../../security/sealing.ts'
import type { MasterKeys } from '../../security/sealing.ts'
import type { RotationRun } from '../../temporal/rotation-run.ts'
import { masterKeyStatusView } from '../../views/master-key.ts'
import type { MasterKeyStatus } from '../../views/master-key.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { fields, table } from '../output.ts'
import type { RegisterVerbs } from '../verb.ts'

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
  if (isNeeded) {
    const change = { accountId: null, action: 'master_key.rotate', subject: String(version) }
    await audited(
      em,
      (tx) =>
        requestWorkflows(tx, [
          { command: 'rotate-master-key', subjectId: String(version), accountId: 0 },
        ]),
      () => ({ ...change, after: { version }, fields: ['version'] }),
    )
  }
  context.out.print(
    { ...before, is_started: isNeeded },
    isNeeded
      ? `Sealing ${before.other_count} values under version ${version}: reelgate master-key status shows the progress.`
      : summary(before),
  )
}

/** Throws a CliError that lists the running processes that seal under another version. */
function requireRolledOut({ version, processes }: MasterKeyStatus): void {
  const late = processes.filter(({ versions: [first] }) => first !== version)
  if (late.length === 0) return
  throw new CliError(
    `These processes do not seal under version ${version} yet: ` +
      `${late.map(({ process, versions }) => `${process} (${versions.join(', ')})`).join('; ')}. ` +
      `Restart them with version ${version} first in MASTER_KEY.`,
    { code: 'master_key_not_rolled_out' },
  )
}

async function readStatus(em: EntityManager, masterKeys: MasterKeys): Promise<MasterKeyStatus> {
  const [counts, holders] = [await countSealedValues(em), await findMasterKeyHolders(em)]
  return masterKeyStatusView({ versions: versionsOf(masterKeys), counts, holders })
}

const TEMPORAL_TIMEOUT_MS = 2_000

/** Reads the latest rotation. Null if there was none, or Temporal does not answer. */
async function readRotation(context: Context): Promise<RotationRun | null> {
  const [{ openClient }, { readRotationRun }] = await Promise.all([
    import('../../temporal/connect.ts'),
    import('../../temporal/rotation-run.ts'),
  ])
  const namespace = context.config.TEMPORAL_NAMESPACE
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
}: MasterKeyStatus): string {
  if (other > 0)
    return `${other} values need other versions: keep them in MASTER_KEY, and run reelgate master-key rotate.`
  const nothing = `Nothing is sealed under another version than ${version}.`
  return droppable.length === 0
    ? nothing
    : `${nothing} MASTER_KEY no longer needs version ${droppable.join(', ')}, ten minutes after the last restart.`
}
