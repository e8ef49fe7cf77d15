import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureOpenapiGenerator, ensurePythonClients } from '../../scripts/bootstrap/tools.mjs'
import { BY_METADATA } from './expected-calls.ts'
import { step, type CallProgram, type GeneratedClient } from './generated-client.ts'
import { generate } from './openapi-generator.ts'

const CALLS = join(import.meta.dirname, 'calls', 'python')

/** The client of openapi-python-client. */
export const pythonClient: GeneratedClient = {
  name: 'openapi-python-client',
  lacks: [BY_METADATA],
  prepare: ensurePythonClients,
  async make({ document, folder }) {
    const python = await ensurePythonClients()
    const config = join(folder, 'config.json')
    // Without formatting.
    await writeFile(config, JSON.stringify({ post_hooks: [] }))
    const args = ['generate', '--path', document, '--meta', 'none', '--config', config]
    const output = await step(
      python,
      ['-m', 'openapi_python_client', ...args, '--output-path', 'reelgate_api_client'],
      folder,
    )
    // It leaves out what it cannot read, and succeeds.
    if (output.includes('WARNING') || output.includes('Unable to'))
      throw new Error(`it leaves out parts of the document:\n${output}`)
    return calls(python, folder, 'openapi_python_client.py')
  },
}

/** The Python client of OpenAPI Generator. */
export const otherPythonClient: GeneratedClient = {
  name: 'OpenAPI Generator (python)',
  lacks: [BY_METADATA],
  prepare: () => Promise.all([ensureOpenapiGenerator(), ensurePythonClients()]),
  async make({ document, folder }) {
    await generate('python', document, folder)
    return calls(await ensurePythonClients(), folder, 'openapi_generator.py')
  },
}

async function calls(python: string, folder: string, program: string): Promise<CallProgram> {
  await step(python, ['-m', 'compileall', '-q', '.'], folder)
  return { command: python, args: [join(CALLS, program)], cwd: folder, env: { PYTHONPATH: folder } }
}
