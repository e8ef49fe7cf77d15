import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { buildSdk } from '../build-sdk.ts'

const run = promisify(execFile)
export const projectFolder = fileURLToPath(new URL('../../', import.meta.url))
const sdkFolder = join(projectFolder, 'sdk')
const tsc = join(projectFolder, 'node_modules/ts7/bin/tsc')
// What a project that uses the client has installed besides it.
const NEIGHBOURS = ['ky', 'openapi-fetch', 'openapi-typescript-helpers', '@types/node']
const FOR_EXAMPLES = ['@types/express']

/** How a project finds the package; node16 and bundler by TypeScript 7, node10 by the last that has it. */
type ResolutionMode = 'node16-esm' | 'node16-cjs' | 'bundler' | 'node10'

/** A project outside of this one, in which the client is installed as npm would publish it. */
export interface PackedSdk {
  /** What the package holds, from its own folder on. */
  files: string[]
  /** The package as it is published, gzipped. */
  tarball: Uint8Array
  /** Runs a module, or a CommonJS script, in a plain Node process; resolves to what it prints. */
  runInNode: (
    code: string,
    env: Record<string, string>,
    format?: 'module' | 'module-typescript' | 'commonjs',
  ) => Promise<string>
  /** The client in one script for a runtime without Node, as the global `sdk`. */
  bundleForEdge: () => Promise<string>
  /** Type checks a file of that project; resolves to the compiler's complaints. */
  typeCheck: (code: string, mode?: ResolutionMode) => Promise<string>
  remove: () => Promise<void>
}

/** Builds, packs and installs the client in a folder of its own. */
export async function packSdk(): Promise<PackedSdk> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgate-sdk-'))
  const { files, tarball } = await install(folder)
  return {
    files,
    tarball,
    async runInNode(code, env, format = 'module') {
      const args = [`--input-type=${format}`, '--eval', code]
      return (await run(process.execPath, args, { cwd: folder, env })).stdout
    },
    async bundleForEdge() {
      const contents = `export * from '@reelgate/sdk'`
      const bundle = await build({
        ...{ stdin: { contents, resolveDir: folder }, bundle: true, write: false },
        ...{ platform: 'neutral', format: 'iife', globalName: 'sdk' },
      })
      return bundle.outputFiles[0]?.text ?? ''
    },
    async typeCheck(code, mode = 'node16-esm') {
      const { compiler, file, options: compilerOptions } = MODES[mode]
      await writeFile(join(folder, file), code)
      const project = {
        ...CONSUMER,
        compilerOptions: { ...CONSUMER.compilerOptions, ...compilerOptions },
        files: [file],
      }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(project))
      const options = { cwd: folder, encoding: 'utf8' } as const
      return run(process.execPath, [compiler, '--project', folder], options).then(
        () => '',
        (error: { stdout: string }) => error.stdout,
      )
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function install(folder: string): Promise<Pick<PackedSdk, 'files' | 'tarball'>> {
  const source = join(folder, 'source')
  for (const name of ['package.json', 'README.md', 'LICENSE'])
    await cp(join(sdkFolder, name), join(source, name))
  await buildSdk(join(source, 'dist'))
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts'], { cwd: source })
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  await run('tar', ['-xzf', join(source, packed.filename)], { cwd: folder })
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@reelgate'), { recursive: true })
  await rename(join(folder, 'package'), join(modules, '@reelgate/sdk'))
  for (const name of [...NEIGHBOURS, ...FOR_EXAMPLES]) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(projectFolder, 'node_modules', name), join(modules, name))
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const tarball = await readFile(join(source, packed.filename))
  return { files: packed.files.map(({ path }) => path), tarball }
}

// skipLibCheck is off: the client's own declarations are checked as well.
const CONSUMER = {
  compilerOptions: {
    ...{ target: 'es2022', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: false },
    ...{ lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], types: ['node'] },
  },
}

const old = join(projectFolder, 'node_modules/typescript/bin/tsc')
const MODES: Record<ResolutionMode, { compiler: string; file: string; options: object }> = {
  'node16-esm': { compiler: tsc, file: 'consumer.ts', options: {} },
  'node16-cjs': { compiler: tsc, file: 'consumer.cts', options: {} },
  bundler: {
    ...{ compiler: tsc, file: 'consumer.ts' },
    options: { module: 'esnext', moduleResolution: 'bundler' },
  },
  node10: {
    ...{ compiler: old, file: 'consumer.ts' },
    options: { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
  },
}

/** The TypeScript examples of the README as one module, their imports once and first. */
export async function readmeExamples(): Promise<string> {
  const readme = await readFile(join(sdkFolder, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => code)
  const names = new Map<string, Set<string>>()
  const body = blocks.join('\n').replaceAll(/^import (.*) from '(.*)'\n/gm, (_, what, from) => {
    const known = names.get(from) ?? new Set()
    for (const name of what.replaceAll(/[{} ]/g, '').split(',')) known.add(name)
    names.set(from, known)
    return ''
  })
  const imports = [...names].map(([from, known]) =>
    from === 'express'
      ? `import express from 'express'\n`
      : `import { ${[...known].join(', ')} } from '${from}'\n`,
  )
  return imports.join('') + body
}
