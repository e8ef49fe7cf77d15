import { accountOption } from '../arguments.ts'
import { openSigningSecret } from '../../security/secret-contexts.ts'
import { requireAccount } from '../records.ts'
import type { RegisterVerb } from '../verb.ts'

/** `signing-secret show`: the secret that the account's servers sign viewer tokens with. */
export const signingSecretShow: RegisterVerb = (noun, run) => {
  noun
    .command('show')
    .description('show the signing secret')
    .addOption(accountOption())
    .action(
      run<{ account: number }>(async (context, { account }) => {
        const em = await context.entityManager()
        const masterKeys = await context.masterKeys()
        const stored = await requireAccount(em, account)
        const secret = openSigningSecret(masterKeys, stored)
        const record = {
          account_id: account,
          signing_secret: secret,
          version: stored.signingSecretVersion,
        }
        context.out.print(record, secret)
      }),
    )
}
