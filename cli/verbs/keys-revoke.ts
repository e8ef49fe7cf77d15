import { revokeKey } from '../../commands/accounts/api-keys.ts'
import { parseId } from '../arguments.ts'
import { CliError } from '../errors.ts'
import type { RegisterVerb } from '../verb.ts'
import { apiKeyView } from '../../views/api-key.ts'

/** `keys revoke ID`: the key is refused from now on; to repeat it changes nothing. */
export const keysRevoke: RegisterVerb = (noun, run) => {
  noun
    .command('revoke')
    .description('revoke an API key; it stops working at once')
    .argument('<id>', 'id from keys list', parseId)
    .action(
      run(async (context, _options, [argument]) => {
        const em = await context.entityManager()
        const id = Number(argument)
        const key = await revokeKey(em, id)
        if (!key) throw new CliError(`There is no API key ${id}.`, { code: 'api_key_not_found' })
        context.out.print(apiKeyView(key), `API key ${id} (${key.hint}…) is revoked.`)
      }),
    )
}
