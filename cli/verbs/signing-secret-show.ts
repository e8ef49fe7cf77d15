import { accountOption } from '../arguments.ts'
import { readSigningSecret } from '../signing-secret.ts'
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
        const { secret, version } = await readSigningSecret(em, await context.masterKeys(), account)
        context.out.print({ account_id: account, signing_secret: secret, version }, secret)
      }),
    )
}
