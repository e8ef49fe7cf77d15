import { findPlaybackReport } from '../../db/playback/playback-reports.ts'
import { decodeFailureCode } from '../../domain/playback-reports/failure-code.ts'
import { playbackReportView } from '../../views/playback/playback-report.ts'
import { accountFilter } from '../arguments.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { fields, humaneTime } from '../output.ts'
import type { RegisterVerbs } from '../verb.ts'

interface Options {
  account?: number
}

/** `why`: says why a video did not play, by the code that the viewer has read out. */
export const why: RegisterVerbs = (program, run) => {
  program
    .command('why')
    .description('say why a video did not play, by the code that the viewer sees')
    .argument('<code...>', 'three groups of four characters, as on the page')
    .addOption(accountFilter())
    .action(run(explain))
}

async function explain(context: Context, { account }: Options, typed: string[]): Promise<void> {
  const code = decodeFailureCode(typed.join(''))
  if (code === null)
    throw new CliError('This is no code: a character is wrong or missing. Ask for it once more.', {
      code: 'invalid_report_code',
    })
  const report = await findPlaybackReport(await context.entityManager(), code.code, account ?? null)
  const accountId = report?.accountId ?? null
  const view = { ...playbackReportView(code, report), account_id: accountId }
  context.out.print(view, textOf(view, context.dashboardBase))
}

type View = ReturnType<typeof playbackReportView> & { account_id: number | null }

function textOf(view: View, dashboardBase: string): string {
  const { account_id: account, setting_path: path, details } = view
  const device = [view.browser, view.system].filter((word) => word !== null).join(', ')
  const facts: [string, string | null][] = [
    ['Code', view.code],
    ['Cause', view.cause],
    ['When', humaneTime(view.created_at)],
    ['Account', account === null ? null : String(account)],
    ['Video', view.video_id && `${view.video_id} ${view.video_title ?? '(deleted)'}`],
    ['Viewer', view.viewer_id],
    ['Site', view.host],
    ['Browser', device || null],
    ...Object.entries(details).map(([name, value]): [string, string | null] => [
      name.replaceAll('_', ' '),
      value === null ? null : String(value),
    ]),
    ['Setting', account === null ? path : path && `${dashboardBase}/accounts/${account}/${path}`],
  ]
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== null)
  const unkept = view.is_stored
    ? ''
    : '\n\nNo report is kept: this is what the code says by itself.'
  return `${view.message}\n${view.next_step}\n\n${fields(known)}${unkept}`
}
