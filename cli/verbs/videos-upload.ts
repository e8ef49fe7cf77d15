import type { Command } from 'commander'
import { Reelgate, ReelgateError } from '../../sdk/src/index.ts'
import {
  addApiOptions,
  cliErrorOfApi,
  interruption,
  readApiAccess,
  type ApiOptions,
} from '../api-access.ts'
import { parseName } from '../arguments.ts'
import type { Context } from '../context.ts'
import { CliError } from '../errors.ts'
import { collectFiles } from '../upload/collect-files.ts'
import { createUploadReport } from '../upload/report.ts'
import { uploadFiles } from '../upload/upload-files.ts'
import type { Runner } from '../verb.ts'

interface Options extends ApiOptions {
  folder?: string
}

/** Adds `videos upload FILE|FOLDER…`, which uses only the API. */
export function addUpload(noun: Command, run: Runner): void {
  const command = noun
    .command('upload')
    .description(
      'upload files, and the videos in folders; the same command continues an interrupted run',
    )
    .argument('<paths...>', 'files, or folders whose videos are taken at all depths')
    .option(
      '--folder <name>',
      'folder of the account for the videos, made if there is none (needs folders:read and folders:write)',
      parseName,
    )
    .action(run(upload))
  addApiOptions(command, 'videos:write')
}

async function upload(context: Context, options: Options, paths: string[]): Promise<void> {
  const files = await collectFiles(paths)
  const { api, apiKey } = await readApiAccess(context, options)
  const report = createUploadReport(context.out, files.length)
  const { folder } = options
  const signal = interruption()
  let failed = files.length
  try {
    const reelgate = new Reelgate({ apiKey, baseUrl: api })
    failed = await uploadFiles({ reelgate, files, folder, report, signal })
  } catch (error) {
    if (error instanceof ReelgateError) throw cliErrorOfApi(error, api)
    if (!signal.aborted) throw error
  }
  if (failed > 0)
    throw new CliError(`${failed} of ${files.length} files were not uploaded.`, {
      code: 'uploads_failed',
    })
}
