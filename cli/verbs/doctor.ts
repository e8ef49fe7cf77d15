import { check } from '../doctor/check.ts'
import type { Finding } from '../doctor/check.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import type { RegisterVerbs } from '../verb.ts'
import { doctorDrm } from './doctor-drm.ts'

/**
 * `doctor`: checks everything that this installation needs and runs. Always ends within ten seconds,
 * with exit status 1 if a check fails. `doctor drm` tries out Multi-DRM.
 */
export const doctor: RegisterVerbs = (program, run) => {
  const noun = program
    .command('doctor')
    .description('check programs, services, processes, disk space and clocks')
    .action(
      run(async (context) => {
        const findings = await examine(context)
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

async function examine(context: Context): Promise<Finding[]> {
  // Loaded only here, because the clients of Temporal and S3 load slowly.
  const [services, processes, machine] = await Promise.all([
    import('../doctor/services.ts'),
    import('../doctor/processes.ts'),
    import('../doctor/machine.ts'),
  ])
  const { runtime, config } = context
  const ofDatabase = (name: string, probe: (context: Context) => Promise<string>) =>
    check(
      name,
      services.ofDatabase(() => probe(context)),
    )
  const server = (name: string, address: string, script: string) =>
    check(name, () => processes.checkServer(address, `npm start, or ${script}`))
  return Promise.all([
    check('node', machine.checkNode),
    check('ffmpeg', machine.checkFfmpeg),
    check('packager', machine.checkPackager),
    ofDatabase('database', services.checkDatabase),
    ofDatabase('master key', services.checkMasterKey),
    check('temporal', () => services.checkTemporal(context)),
    check('storage', () => services.checkStorage(context)),
    server('api', runtime?.api ?? config.API_BASE_URL, 'api/server.ts'),
    server('player', runtime?.player ?? config.EMBED_BASE_URL, 'player/server/main.ts'),
    server(
      'dashboard',
      runtime?.dashboard ?? config.DASHBOARD_BASE_URL,
      'dashboard/server/main.ts',
    ),
    ...(['ingest', 'encode-first', 'encode', 'webhooks'] as const).map((queue) =>
      ofDatabase(`queue ${queue}`, () => processes.checkQueue(context, queue)),
    ),
    ofDatabase('outbox', services.checkOutbox),
    check('disk', () => machine.checkDisk(context)),
    ofDatabase('clocks', services.checkClocks),
  ])
}

const report = (findings: Finding[]): string =>
  findings
    .map(({ name, ok, detail }) => `${ok ? '✓' : '✗'} ${name.padEnd(18)}  ${detail}`)
    .join('\n')
