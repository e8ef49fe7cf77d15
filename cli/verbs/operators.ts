import type { Command } from 'commander'
import { setOperatorById } from '../../commands/members/operators.ts'
import { listOperators } from '../../db/members/members.ts'
import { operatorView } from '../../views/members/member.ts'
import { parseId } from '../arguments.ts'
import type { Context } from '../context.ts'
import { operatorActor } from '../operator.ts'
import { table } from '../output.ts'
import type { Runner } from '../verb.ts'

/** The verbs of `members` about those who run the installation. Only they make a member an operator. */
export function operators(noun: Command, run: Runner): void {
  noun
    .command('operators')
    .description('list the members who are operators of the installation')
    .action(run(list))
  noun
    .command('grant-operator')
    .description('make a member an operator of the installation')
    .argument('<id>', 'id from members list', parseId)
    .action(run((context, _options, [id]) => change(context, Number(id), true)))
  noun
    .command('revoke-operator')
    .description('make a member no longer an operator; their roles stay')
    .argument('<id>', 'id from members operators', parseId)
    .action(run((context, _options, [id]) => change(context, Number(id), false)))
}

async function list(context: Context): Promise<void> {
  const records = (await listOperators(await context.entityManager())).map(operatorView)
  const headings = ['ID', 'E-MAIL', 'NAME', 'ACCOUNTS']
  const cells = records.map((operator) => [
    String(operator.id),
    operator.email,
    operator.name,
    operator.account_ids.join(',') || '-',
  ])
  context.out.print(records, table(headings, cells, 'No operators.'))
}

async function change(context: Context, memberId: number, isOperator: boolean): Promise<void> {
  const em = await context.entityManager()
  const { id, email } = await setOperatorById(em, memberId, { isOperator, by: operatorActor() })
  const record = { id, object: 'member', email, is_operator: isOperator }
  const now = isOperator ? 'is an operator' : 'is not an operator'
  context.out.print(record, `Member ${id} (${email}) ${now}.`)
}
