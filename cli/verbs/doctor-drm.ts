import { pino } from 'pino'
import { openEgress } from '../../processes/open-egress.ts'
import type { Context } from '../context.ts'
import type { DrmFinding } from '../doctor/drm/finding.ts'
import { CliError } from '../errors.ts'
import { table } from '../output.ts'

/** `doctor drm`: tries out keys, licence servers, certificates and clocks of Multi-DRM. Exit status 1 if it cannot work. */
export async function doctorDrm(context: Context): Promise<void> {
  // Loaded only here: the adapters of providers load slowly.
  const { examineDrm, isHarmless, isUsable } = await import('../doctor/drm/examine-drm.ts')
  const egress = await openEgress(context.config, pino({ level: 'silent' }))
  const checks = await examineDrm(context.config, egress)
  const ok = isUsable(checks)
  context.out.print({ ok, checks }, report(checks))
  const names = checks.filter((one) => !isHarmless(one)).map(({ name }) => name)
  if (!ok)
    throw new CliError(`Multi-DRM does not work: ${names.join(', ')}.`, { code: 'checks_failed' })
}

const RESULTS: Record<DrmFinding['result'], string> = {
  ok: 'ok',
  failed: 'failed',
  not_configured: 'not configured',
  not_checked: 'not checked',
}

const report = (checks: readonly DrmFinding[]): string =>
  table(
    ['CHECK', 'RESULT', 'DETAIL'],
    checks.map(({ name, result, detail, remedy }) => [
      name,
      RESULTS[result],
      remedy === null ? detail : `${detail.replace(/\.$/, '')}. ${remedy}`,
    ]),
    '',
  )
