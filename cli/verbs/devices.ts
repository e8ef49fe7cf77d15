import { restoreDevice, revokeDevice } from '../../commands/devices/revoke-device.ts'
import { listDevices } from '../../db/accounts/accounts.ts'
import { deviceView } from '../../views/accounts/account.ts'
import {
  accountFilter,
  accountOption,
  limitOption,
  parseDeviceId,
  parseViewerId,
} from '../arguments.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { humaneTime, table } from '../output.ts'
import { requireAccount } from '../requirements.ts'
import type { RegisterVerbs } from '../verb.ts'

/** The verbs of `devices`. */
export const devices: RegisterVerbs = (program, run) => {
  const noun = program
    .command('devices')
    .description('revoke devices of Multi-DRM videos and restore them')
  noun
    .command('list')
    .description('list devices that the DRM provider has named, and revoked ones')
    .addOption(accountFilter())
    .option('--viewer <id>', 'only those that this viewer used last', parseViewerId)
    .addOption(limitOption())
    .action(run(list))
  noun
    .command('revoke')
    .description('refuse licences to a device; running playback ends with its licence')
    .argument('<device id>', 'id from devices list', parseDeviceId)
    .addOption(accountOption())
    .action(run(revoke))
  noun
    .command('restore')
    .description('give licences to a revoked device again')
    .argument('<device id>', 'id from devices list', parseDeviceId)
    .addOption(accountOption())
    .action(run(restore))
}

interface ListOptions {
  account?: number
  viewer?: string
  limit: number
}

async function list(context: Context, { account, viewer, limit }: ListOptions): Promise<void> {
  const em = await context.entityManager()
  const records = (await listDevices(em, { accountId: account, viewerId: viewer, limit })).map(
    deviceView,
  )
  const cells = records.map((device) => [
    String(device.account_id),
    device.device_id,
    device.system ?? '',
    device.viewer_id ?? '',
    humaneTime(device.last_seen_at),
    device.revoked_at === null ? '' : humaneTime(device.revoked_at),
  ])
  const headings = ['ACCOUNT', 'DEVICE', 'SYSTEM', 'VIEWER', 'LAST SEEN', 'REVOKED']
  context.out.print(records, table(headings, cells, 'No known devices.'))
}

interface Options {
  account: number
}

async function revoke(
  context: Context,
  { account }: Options,
  [deviceId = '']: string[],
): Promise<void> {
  const em = await context.entityManager()
  await requireAccount(em, account)
  const revoked = await audited(
    em,
    (tx) => revokeDevice(tx, account, deviceId),
    () => ({ accountId: account, action: 'device.revoke', subject: deviceId, fields: [] }),
  )
  context.out.print(deviceView(revoked), `Device ${deviceId} is revoked.`)
}

async function restore(
  context: Context,
  { account }: Options,
  [deviceId = '']: string[],
): Promise<void> {
  const isRestored = await audited(
    await context.entityManager(),
    (tx) => restoreDevice(tx, account, deviceId),
    (wasRevoked) =>
      wasRevoked
        ? { accountId: account, action: 'device.restore', subject: deviceId, fields: [] }
        : null,
  )
  if (!isRestored)
    throw new CliError(`Account ${account} has no revoked device ${deviceId}.`, {
      code: 'revoked_device_not_found',
    })
  const record = { object: 'device', account_id: account, device_id: deviceId }
  context.out.print(record, `Device ${deviceId} may play again.`)
}
