import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureOapiCodegen } from '../../scripts/bootstrap/tools.mjs'
import { step, type GeneratedClient } from './generated-client.ts'

const CALLS = join(import.meta.dirname, 'calls', 'go')

/** The client of oapi-codegen, for Go. */
export const goClient: GeneratedClient = {
  name: 'oapi-codegen (Go)',
  prepare: ensureOapiCodegen,
  async make({ document, folder }) {
    await cp(CALLS, folder, { recursive: true })
    await mkdir(join(folder, 'reelgate'))
    const parts = ['-generate', 'models,client', '-package', 'reelgate']
    const output = ['-o', 'reelgate/reelgate.go']
    await step(await ensureOapiCodegen(), [...parts, ...output, document], folder)
    await step('go', ['vet', './...'], folder)
    await step('go', ['build', '-o', 'calls', '.'], folder)
    return { command: join(folder, 'calls'), args: [], cwd: folder }
  },
}
