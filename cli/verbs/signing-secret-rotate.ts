import { accountOption } from '../arguments.ts'
import { rotateSigningSecret } from '../../commands/accounts/signing-secret.ts'
import { noAccount } from '../errors.ts'
import type { RegisterVerb } from '../verb.ts'

/** `signing-secret rotate`: a new secret at once; every token signed with the old one is refused. */
export const signingSecretRotate: RegisterVerb = (noun, run) => {
  noun
    .command('rotate')
    .description('replace the signing secret; tokens signed with the old one are refused at once')
    .addOption(accountOption())
    .action(
      run<{ account: number }>(async (context, { account }) => {
        const em = await context.entityManager()
        const rotated = await rotateSigningSecret(em, await context.masterKeys(), account)
        if (!rotated) throw noAccount(account)
        const record = {
          account_id: account,
          signing_secret: rotated.secret,
          version: rotated.version,
        }
        context.out.print(record, rotated.secret)
      }),
    )
}
