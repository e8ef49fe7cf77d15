import { check } from '../doctor/check.ts'
import type { Finding } from '../doctor/check.ts'
import { checkFfmpeg, checkNode, checkPackager } from '../doctor/programs.ts'
import { CliError } from '../errors.ts'
import type { RegisterVerb } from '../verb.ts'

/** `doctor`: looks at everything that this installation needs; exit status 1 where something is wrong. */
export const doctor: RegisterVerb = (program, run) => {
  program
    .command('doctor')
    .description('check programs, services, storage and clocks')
    .action(
      run(async (context) => {
        // No other verb needs the clients of Temporal and S3, which take longer to load than the rest.
        const services = await import('../doctor/services.ts')
        const findings = await Promise.all([
          check('node', checkNode),
          check('ffmpeg', checkFfmpeg),
          check('packager', checkPackager),
          check('database', () => services.checkDatabase(context)),
          check('master key', () => services.checkMasterKey(context)),
          check('temporal', () => services.checkTemporal(context)),
          check('storage', () => services.checkStorage(context)),
          check('clocks', () => services.checkClocks(context)),
        ])
        const failed = findings.filter(({ ok }) => !ok).map(({ name }) => name)
        context.out.print({ ok: failed.length === 0, checks: findings }, report(findings))
        if (failed.length > 0)
          throw new CliError(`Failed: ${failed.join(', ')}.`, { code: 'checks_failed' })
      }),
    )
}

const report = (findings: Finding[]): string =>
  findings
    .map(({ name, ok, detail }) => `${ok ? '✓' : '✗'} ${name.padEnd(10)}  ${detail}`)
    .join('\n')
