import { join } from 'node:path'
import { findProgram, runCommand } from './commands.mjs'
import { projectDir } from './environment.mjs'
import { installOnce } from './install-once.mjs'
import { SetupError } from './report.mjs'

const VERSION = '4.32.5'

/** The program and first arguments that start Schemathesis, the fuzzer behind `npm run fuzz`. */
export async function ensureSchemathesis() {
  const title = `Schemathesis ${VERSION} (from PyPI into a Python environment of its own, once)`
  const folder = await installOnce(`schemathesis-${VERSION}`, title, install)
  const bin = join(folder, 'bin')
  // By its interpreter: the first line of the script names the folder that it was installed in.
  return [join(bin, 'python'), join(bin, 'schemathesis')]
}

async function install(into) {
  const python = findProgram('python3', 'python')
  if (!python) throw new SetupError('Python 3.10 or later is needed for the fuzzer: install it')
  await runCommand(python, ['-m', 'venv', into])
  const requirements = join(projectDir, 'test', 'fuzz', 'requirements.txt')
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary', ':all:']
  await runCommand(join(into, 'bin', 'python'), [
    '-m',
    'pip',
    'install',
    ...quiet,
    '-r',
    requirements,
  ])
}
