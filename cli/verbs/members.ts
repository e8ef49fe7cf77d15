import { Option } from 'commander'
import { inviteByOperator, removeByOperator } from '../../commands/members/by-operator.ts'
import { listMembers } from '../../db/members/members.ts'
import { ROLES, type Role } from '../../domain/accounts/roles.ts'
import { createdInvitationView } from '../../views/members/invitation.ts'
import { memberView } from '../../views/members/member.ts'
import { accountOption, parseEmail, parseId } from '../arguments.ts'
import type { Context } from '../context.ts'
import { operatorActor } from '../operator.ts'
import { humaneTime, table } from '../output.ts'
import { requireAccount } from '../requirements.ts'
import type { RegisterVerbs } from '../verb.ts'
import { operators } from './operators.ts'

/** The verbs of `members`. */
export const members: RegisterVerbs = (program, run) => {
  const noun = program
    .command('members')
    .description('invite, list and remove members; choose the operators')
  noun
    .command('invite')
    .description('print a link that makes its reader a member; it works once, within a day')
    .addOption(accountOption())
    .addOption(
      new Option('--role <role>', 'what the member may do').choices(ROLES).default('reader'),
    )
    .addOption(
      new Option(
        '--owner',
        'the same as --role owner; also the way back in for an owner',
      ).conflicts('role'),
    )
    .option('--operator', 'also make its reader an operator of the installation')
    .option('--email <address>', 'the only address that may use the link', parseEmail)
    .action(run(invite))
  noun
    .command('list')
    .description('list the members of an account')
    .addOption(accountOption())
    .action(run(list))
  noun
    .command('remove')
    .description('take a member out of an account; their next request is refused')
    .argument('<id>', 'id from members list', parseId)
    .addOption(accountOption())
    .action(run(remove))
  operators(noun, run)
}

interface InviteOptions {
  account: number
  role: Role
  owner?: boolean
  operator?: boolean
  email?: string
}

async function invite(context: Context, options: InviteOptions): Promise<void> {
  const { account: accountId, owner = false, operator = false, email = null } = options
  const em = await context.entityManager()
  await requireAccount(em, accountId)
  const role = owner ? 'owner' : options.role
  const by = operatorActor()
  const facts = { accountId, role, email, grantsOperator: operator, by }
  const { invitation, token } = await inviteByOperator(em, facts)
  const view = createdInvitationView(invitation, token, context.dashboardBase)
  const record = { ...view, grants_operator: operator }
  const ends = `It works once, until ${humaneTime(record.expires_at)}, and is not shown again.`
  context.out.print(record, `${record.link}\n\n${ends}`)
}

interface AccountOptions {
  account: number
}

async function list(context: Context, { account }: AccountOptions): Promise<void> {
  const em = await context.entityManager()
  await requireAccount(em, account)
  const records = (await listMembers(em, account)).map(memberView)
  const headings = ['ID', 'E-MAIL', 'NAME', 'ROLE', 'LAST SEEN']
  const cells = records.map((member) => [
    String(member.id),
    member.email,
    member.name,
    member.role,
    member.last_seen_at === null ? '-' : humaneTime(member.last_seen_at),
  ])
  context.out.print(records, table(headings, cells, 'The account has no members.'))
}

async function remove(
  context: Context,
  { account: accountId }: AccountOptions,
  [argument]: string[],
): Promise<void> {
  const memberId = Number(argument)
  const em = await context.entityManager()
  await requireAccount(em, accountId)
  const member = { accountId, memberId, by: operatorActor() }
  const { isOperator } = await removeByOperator(em, member)
  const record = { id: memberId, object: 'member', deleted: true }
  const done = `Member ${memberId} is out of account ${accountId}.`
  const hint = `\nThe member is still an operator: reelgate members revoke-operator ${memberId}`
  context.out.print(record, isOperator ? done + hint : done)
}
