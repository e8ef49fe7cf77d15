import { cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureOpenapiGenerator } from '../../scripts/bootstrap/tools.mjs'
import { BY_METADATA } from './expected-calls.ts'
import { step, type GeneratedClient } from './generated-client.ts'

/** Parameters by name. Otherwise a method takes all of them in the order of the document, and each new one changes every call. */
export const PARAMETERS_BY_NAME = 'useSingleRequestParameter=true'

/** Otherwise a change that names no tags removes them: the client sends an empty list. */
const NO_EMPTY_LISTS = 'containerDefaultToNull=true'

/** Generates a client with OpenAPI Generator. */
export async function generate(
  generator: string,
  document: string,
  folder: string,
  options: readonly string[] = [],
): Promise<void> {
  const { jar } = await ensureOpenapiGenerator()
  await mkdir(folder, { recursive: true })
  const chosen = options.length > 0 ? ['--additional-properties', options.join(',')] : []
  const args = ['-jar', jar, 'generate', '-g', generator, '-i', document, '-o', '.', ...chosen]
  await step('java', args, folder)
}

const CALLS = join(import.meta.dirname, 'calls', 'java')

/** The Java client of OpenAPI Generator. */
export const javaClient: GeneratedClient = {
  name: 'OpenAPI Generator (java)',
  lacks: [BY_METADATA],
  prepare: ensureOpenapiGenerator,
  async make({ document, folder }) {
    const { clientJars } = await ensureOpenapiGenerator()
    await generate('java', document, folder, [PARAMETERS_BY_NAME, NO_EMPTY_LISTS])
    const main = join(folder, 'src', 'main', 'java')
    await cp(CALLS, main, { recursive: true })
    const files = await readdir(main, { recursive: true })
    const sources = files.filter((name) => name.endsWith('.java'))
    const classPath = join(clientJars, '*')
    await mkdir(join(folder, 'classes'))
    const compiled = join(folder, 'classes')
    await step(
      'javac',
      ['-nowarn', '-proc:none', '-cp', classPath, '-d', compiled, ...sources],
      main,
    )
    return { command: 'java', args: ['-cp', `${compiled}:${classPath}`, 'Calls'], cwd: folder }
  },
}

/** The C# client of OpenAPI Generator: its text is checked, because a compiler is not part of any registry that the project uses. */
export const csharpClient: GeneratedClient = {
  name: 'OpenAPI Generator (csharp)',
  unrun: 'generated and its text checked, not compiled',
  prepare: ensureOpenapiGenerator,
  async make({ document, folder }) {
    await generate('csharp', document, folder)
    const source = join(folder, 'src', 'Org.OpenAPITools')
    const models = await readdir(join(source, 'Model'))
    const events = await readFile(join(source, 'Api', 'EventsApi.cs'), 'utf8')
    const video = await readFile(join(source, 'Model', 'Video.cs'), 'utf8')
    const deleted = await readFile(join(source, 'Model', 'DeletedFolder.cs'), 'utf8')
    const posters = await readFile(join(source, 'Api', 'PostersApi.cs'), 'utf8')
    const search = await readFile(join(source, 'Api', 'SearchApi.cs'), 'utf8')
    const facts: [string, boolean][] = [
      ['no class stands for null', !models.some((name) => /^(Model)?Null\.cs$/.test(name))],
      ['the events can be listed', events.includes('ListEventsAsync(')],
      ['the folder of a video may be null', /\blong\? FolderId\b/.test(video)],
      ['the status of a video is a named enum', /\bVideoState Status\b/.test(video)],
      ['deleted is a boolean', /\bbool Deleted\b/.test(deleted)],
      ['the lines of an import have a class', models.includes('NewImportLine.cs')],
      ['captions can be searched', search.includes('SearchAsync(')],
      [
        'a poster is sent as a file',
        /UploadPosterAsync\(string id, [\w.]*(?:Stream|File\w*) /.test(posters),
      ],
    ]
    const wrong = facts.filter(([, holds]) => !holds).map(([fact]) => fact)
    if (wrong.length > 0) throw new Error(`it is not so that ${wrong.join(', ')}`)
    return null
  },
}
