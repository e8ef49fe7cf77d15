import { dirname, resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { pino } from 'pino'
import { openEgress } from '../../../processes/open-egress.ts'
import { interruption } from '../../api-access.ts'
import { httpUrlOf } from '../../arguments.ts'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors.ts'
import { filesFolderOf, makeManifest } from '../../moving/services/make-manifest.ts'
import { createManifestReport, type ManifestResult } from '../../moving/services/manifest-report.ts'
import { openService, variablesOf } from '../../moving/services/open-service.ts'
import type { Service } from '../../moving/services/service.ts'
import { createSideFiles } from '../../moving/services/side-files.ts'
import type { RegisterVerbs } from '../../verb.ts'

interface Options {
  output: string
  api?: URL
  prepare?: boolean
}

/** In the order of the help; what `--prepare` asks of a service. */
const SERVICES: readonly { name: Service['name']; title: string; prepares?: string }[] = [
  { name: 'vimeo', title: 'Vimeo' },
  {
    name: 'mux',
    title: 'Mux',
    prepares: 'give access to the master of each asset for 24 hours, and wait for its file',
  },
  { name: 'bunny', title: 'Bunny Stream' },
  {
    name: 'cloudflare',
    title: 'Cloudflare Stream',
    prepares: 'have an MP4 file made of each video that has none, and wait for it',
  },
]

/** The verbs of `manifest`, which write a manifest for `import` from the account at another service. */
export const manifest: RegisterVerbs = (program, run) => {
  const noun = program
    .command('manifest')
    .description(
      'write a manifest of the videos at another service (docs/moving-from-other-services.md)',
    )
  for (const { name, title, prepares } of SERVICES) {
    const command = noun
      .command(name)
      .description(`of ${title}, by ${variablesOf(name).join(', ')} in the environment`)
      .addOption(
        new Option(
          '--output <file>',
          'manifest to write; captions and posters go into a folder beside it',
        ).makeOptionMandatory(),
      )
      .addOption(
        new Option('--api <url>', `address of the API (default: that of ${title})`).argParser(
          parseApi,
        ),
      )
    if (prepares !== undefined) command.option('--prepare', prepares)
    command.action(run<Options>((context, options) => writeManifest(context, name, options)))
  }
}

/** Credentials leave this machine only over TLS. */
function parseApi(text: string): URL {
  const url = httpUrlOf(text)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '')
  if (url && (url.protocol === 'https:' || isHere)) return url
  throw new InvalidArgumentError('It must be an https address, or an http address of this machine.')
}

async function writeManifest(
  { config, out }: Context,
  name: Service['name'],
  { output: given, api, prepare = false }: Options,
): Promise<void> {
  const output = resolve(given)
  const report = createManifestReport(out, name, output)
  const signal = interruption()
  const service = openService(name, config, { api, prepare, signal, onWait: report.waiting })
  const egress = await openEgress(config, pino({ level: 'silent' }))
  const base = dirname(output)
  const files = createSideFiles({ base, folder: filesFolderOf(output), egress, signal })
  const result = await unlessInterrupted(signal, () =>
    makeManifest({ service, output, files, report, signal }),
  )
  report.end(result)
  const { leftOut, incomplete } = result
  if (leftOut + incomplete > 0)
    throw new CliError(
      `${leftOut} videos were left out, and ${incomplete} lack something. The lines above say why.`,
      { code: 'manifest_incomplete' },
    )
}

async function unlessInterrupted(
  signal: AbortSignal,
  work: () => Promise<ManifestResult>,
): Promise<ManifestResult> {
  try {
    return await work()
  } catch (error) {
    if (!signal.aborted) throw error
    throw new CliError(
      'Interrupted: no manifest was written. The same command begins again, and keeps the captions and posters that are there.',
      { code: 'manifest_incomplete' },
    )
  }
}
