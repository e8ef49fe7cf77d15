import { editSettings } from '../../commands/settings/edit-settings.ts'
import { accountOption } from '../arguments.ts'
import { applyAssignments, parseAssignment } from '../edit-settings.ts'
import { noAccount } from '../errors.ts'
import type { RegisterVerb } from '../verb.ts'

/** `settings set path=value …`: all of them, or none where one does not fit. */
export const settingsSet: RegisterVerb = (noun, run) => {
  noun
    .command('set')
    .description('change player settings, such as watermark.required=true')
    .addOption(accountOption())
    .argument('<path=value...>', 'setting and value; the value is read as JSON where possible')
    .action(
      run<{ account: number }>(async (context, { account }, args) => {
        const assignments = args.flatMap(parseAssignment)
        const em = await context.entityManager()
        const settings = await editSettings(em, account, (current) =>
          applyAssignments(current, assignments),
        )
        if (!settings) throw noAccount(account)
        context.out.print(settings, JSON.stringify(settings, null, 2))
      }),
    )
}
