import { cp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import {
  ensureNpmClients,
  ensureOpenapiGenerator,
  projectDir,
} from '../../scripts/bootstrap/tools.mjs'
import { BY_METADATA } from './expected-calls.ts'
import { step, type CallProgram, type GeneratedClient } from './generated-client.ts'
import { generate, PARAMETERS_BY_NAME } from './openapi-generator.ts'

const CALLS = join(import.meta.dirname, 'calls', 'typescript')
const PROJECT_PACKAGES = join(projectDir, 'node_modules')

/** The types of openapi-typescript, with openapi-fetch. */
export const typesOnlyClient: GeneratedClient = {
  name: 'openapi-typescript',
  prepare: () => Promise.resolve(),
  async make({ document, folder }) {
    const generator = join(PROJECT_PACKAGES, 'openapi-typescript', 'bin', 'cli.js')
    const output = ['--output', 'generated/schema.ts']
    await step(process.execPath, [generator, document, ...output], folder)
    return compile(folder, 'openapi-typescript.ts', PROJECT_PACKAGES)
  },
}

/** The client of Hey API. */
export const heyApiClient: GeneratedClient = {
  name: 'Hey API',
  prepare: ensureNpmClients,
  async make({ document, folder }) {
    const packages = await ensureNpmClients()
    const generator = join(packages, '@hey-api', 'openapi-ts', 'bin', 'run.js')
    const client = ['-c', '@hey-api/client-fetch']
    const args = [generator, '-i', document, '-o', 'generated', ...client]
    await step(process.execPath, args, folder)
    return compile(folder, 'hey-api.ts', packages)
  },
}

/** The typescript-axios client of OpenAPI Generator. */
export const axiosClient: GeneratedClient = {
  name: 'OpenAPI Generator (typescript-axios)',
  lacks: [BY_METADATA],
  prepare: () => Promise.all([ensureOpenapiGenerator(), ensureNpmClients()]),
  async make({ document, folder }) {
    const packages = await ensureNpmClients()
    const into = join(folder, 'generated')
    await generate('typescript-axios', document, into, [PARAMETERS_BY_NAME])
    return compile(folder, 'axios.ts', packages)
  },
}

/** Checks the types of the calls and of all that is generated, and bundles them, which also removes the types. */
async function compile(folder: string, program: string, packages: string): Promise<CallProgram> {
  for (const name of ['show.ts', program]) await cp(join(CALLS, name), join(folder, name))
  await symlink(packages, join(folder, 'node_modules'))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfigOf(program)))
  await step(process.execPath, [join(PROJECT_PACKAGES, 'ts7', 'bin', 'tsc'), '-p', '.'], folder)
  const outfile = join(folder, 'calls.mjs')
  const entryPoints = [join(folder, program)]
  await build({
    entryPoints,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  return { command: process.execPath, args: [outfile], cwd: folder }
}

const tsconfigOf = (program: string) => ({
  compilerOptions: {
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    typeRoots: [join(PROJECT_PACKAGES, '@types')],
    types: ['node'],
  },
  include: [program, 'generated/**/*.ts'],
})
