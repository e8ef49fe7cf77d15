import { editSettings, type SettingsEdit } from '../../commands/settings/edit-settings.ts'
import { isSame } from '../../domain/accounts/audit.ts'
import type { PlayerSettings } from '../../domain/settings/player-settings.ts'
import { playerSettingsView, SETTING_NAMES } from '../../views/player-settings.ts'
import { accountOption } from '../arguments.ts'
import { audited } from '../audited.ts'
import type { Context } from '../context.ts'
import { noAccount } from '../errors.ts'
import { jsonText } from '../output.ts'
import { requireAccount } from '../requirements.ts'
import { applyAssignments, parseAssignment } from '../setting-assignments.ts'
import type { RegisterVerbs } from '../verb.ts'

/** The verbs of `settings`. */
export const settings: RegisterVerbs = (program, run) => {
  const noun = program
    .command('settings')
    .description("show or change an account's player settings")
  noun
    .command('get')
    .description('show all player settings')
    .addOption(accountOption())
    .action(run(get))
  noun
    .command('set')
    .description('change player settings, such as watermark.required=true')
    .addOption(accountOption())
    .argument('<path=value...>', 'setting and value; the value is read as JSON where possible')
    .action(run(set))
}

async function get(context: Context, { account }: { account: number }): Promise<void> {
  const stored = await requireAccount(await context.entityManager(), account)
  print(context, stored.settings)
}

/** Makes all assignments, or none if a value is invalid. */
async function set(
  context: Context,
  { account }: { account: number },
  args: string[],
): Promise<void> {
  const assignments = args.flatMap(parseAssignment)
  const edit = await audited(
    await context.entityManager(),
    (tx) => editSettings(tx, account, (current) => applyAssignments(current, assignments)),
    (made) => made && changeOf(account, made),
  )
  if (!edit) throw noAccount(account)
  print(context, edit.settings)
}

/** Returns null if nothing has changed. */
function changeOf(accountId: number, { before, settings: after }: SettingsEdit) {
  const change = { accountId, action: 'settings.update', subject: '', before, after }
  return isSame(before, after) ? null : { ...change, fields: SETTING_NAMES }
}

function print({ out }: Context, stored: PlayerSettings): void {
  const record = playerSettingsView(stored)
  out.print(record, jsonText(record, 2))
}
