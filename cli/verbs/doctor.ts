import type { Finding } from '../../doctor/check.ts'
import { examine } from '../../doctor/examine.ts'
import { CliError } from '../errors.ts'
import { storageConfig } from '../storage-config.ts'
import type { RegisterVerbs } from '../verb.ts'
import { doctorDrm } from './doctor-drm.ts'

/**
 * `doctor`: checks everything that this installation needs and runs. Always ends within ten seconds,
 * with exit status 1 if a check fails. `doctor drm` tries out Multi-DRM.
 */
export const doctor: RegisterVerbs = (program, run) => {
  const noun = program
    .command('doctor')
    .description('check programs, services, processes, ids, disk space and clocks')
    .action(
      run(async (context) => {
        const findings = await examine({ ...context, storage: storageConfig(context) })
        const failed = findings.filter(({ ok }) => !ok).map(({ name }) => name)
        context.out.print({ ok: failed.length === 0, checks: findings }, report(findings))
        if (failed.length > 0)
          throw new CliError(`Failed: ${failed.join(', ')}.`, { code: 'checks_failed' })
      }),
    )
  noun
    .command('drm')
    .description('try out keys, licence servers, certificates and clocks of Multi-DRM')
    .action(run(doctorDrm))
}

const report = (findings: Finding[]): string =>
  findings
    .map(({ name, ok, detail }) => `${ok ? '✓' : '✗'} ${name.padEnd(18)}  ${detail}`)
    .join('\n')
