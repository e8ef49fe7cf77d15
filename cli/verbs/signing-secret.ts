import { rotateSigningSecret } from '../../commands/accounts/signing-secret.ts'
import type { SigningSecret } from '../../commands/accounts/signing-secret.ts'
import { openSigningSecret } from '../../security/secret-contexts.ts'
import { accountOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { noAccount } from '../errors.ts'
import { requireAccount } from '../requirements.ts'
import type { RegisterVerbs } from '../verb.ts'

/** The verbs of `signing-secret`. */
export const signingSecret: RegisterVerbs = (program, run) => {
  const noun = program
    .command('signing-secret')
    .description('show or rotate the secret that signs viewer tokens')
  noun
    .command('show')
    .description('show the signing secret')
    .addOption(accountOption())
    .action(run(show))
  noun
    .command('rotate')
    .description('replace the signing secret; tokens signed with the old one become invalid')
    .addOption(accountOption())
    .action(run(rotate))
}

interface Options {
  account: number
}

async function show(context: Context, { account }: Options): Promise<void> {
  const em = await context.entityManager()
  const masterKeys = await context.masterKeys()
  const stored = await requireAccount(em, account)
  const secret = openSigningSecret(masterKeys, stored)
  print(context, account, { secret, version: stored.signingSecretVersion })
}

async function rotate(context: Context, { account }: Options): Promise<void> {
  const em = await context.entityManager()
  const rotated = await rotateSigningSecret(em, await context.masterKeys(), account)
  if (!rotated) throw noAccount(account)
  print(context, account, rotated)
}

const print = ({ out }: Context, accountId: number, { secret, version }: SigningSecret): void =>
  out.print({ account_id: accountId, signing_secret: secret, version }, secret)
