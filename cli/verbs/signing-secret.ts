import { rotateSigningSecret, type SigningSecret } from '../../commands/accounts/signing-secret.ts'
import { openSigningSecret } from '../../security/sealing/secret-contexts.ts'
import { accountOption } from '../arguments.ts'
import { audited, type OperatorChange } from '../audited.ts'
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
  const version = stored.signingSecretVersion
  const shown = await audited(
    em,
    async () => ({ secret: openSigningSecret(masterKeys, stored), version }),
    () => changeOf(account, 'signing_secret.reveal', null, version),
  )
  print(context, account, shown)
}

async function rotate(context: Context, { account }: Options): Promise<void> {
  const em = await context.entityManager()
  const masterKeys = await context.masterKeys()
  const rotated = await audited(
    em,
    (tx) => rotateSigningSecret(tx, masterKeys, account),
    (made) => made && changeOf(account, 'signing_secret.rotate', made.version - 1, made.version),
  )
  if (!rotated) throw noAccount(account)
  print(context, account, rotated)
}

const changeOf = (
  accountId: number,
  action: string,
  before: number | null,
  after: number,
): OperatorChange => ({
  accountId,
  action,
  subject: '',
  before: before === null ? null : { version: before },
  after: { version: after },
  fields: ['version'],
})

const print = ({ out }: Context, accountId: number, { secret, version }: SigningSecret): void =>
  out.print({ account_id: accountId, signing_secret: secret, version }, secret)
