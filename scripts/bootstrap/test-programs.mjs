import { join } from 'node:path'
import { findProgram, runCommand } from './commands.mjs'
import { projectDir } from './environment.mjs'
import { buildGoProgram } from './go-program.mjs'
import { installOnce } from './install-once.mjs'
import { SetupError } from './report.mjs'

const S3_SERVER_VERSION = '1.8.0'
const KUBECONFORM_VERSION = '0.8.0'
const PROMETHEUS_VERSION = '0.313.0'
const SCHEMATHESIS_VERSION = '4.32.5'

/** Returns the path of versitygw, the S3 server of the tests. */
export async function ensureS3Server() {
  const title = 'S3 server for the tests (built from source, once)'
  const folder = await installOnce(`versitygw-${S3_SERVER_VERSION}`, title, (into) =>
    buildGoProgram({
      moduleDir: 'test/s3-server',
      packagePath: 'github.com/versity/versitygw/cmd/versitygw',
      output: join(into, 'versitygw'),
    }),
  )
  return join(folder, 'versitygw')
}

/** Returns the path of promtool, which checks alert rules and metrics. */
export const ensurePromtool = () => ensureOfPrometheus('promtool')

/** Returns the path of Prometheus, which evaluates the alert rules in `npm run verify:compose -- --runbook`. */
export const ensurePrometheus = () => ensureOfPrometheus('prometheus')

async function ensureOfPrometheus(name) {
  const title = `${name} ${PROMETHEUS_VERSION} for tests (built from source, once)`
  const folder = await installOnce(`${name}-${PROMETHEUS_VERSION}`, title, (into) =>
    buildGoProgram({
      moduleDir: 'test/prometheus',
      packagePath: `github.com/prometheus/prometheus/cmd/${name}`,
      output: join(into, name),
      // Without the clients of all clouds.
      tags: 'remove_all_sd,enable_dns_sd',
    }),
  )
  return join(folder, name)
}

/** Returns the path of kubeconform, which checks manifests of Kubernetes. */
export async function ensureKubeconform() {
  const title = 'kubeconform (built from source, once)'
  const folder = await installOnce(`kubeconform-${KUBECONFORM_VERSION}`, title, (into) =>
    buildGoProgram({
      moduleDir: 'test/kubernetes/kubeconform',
      packagePath: 'github.com/yannh/kubeconform/cmd/kubeconform',
      output: join(into, 'kubeconform'),
    }),
  )
  return join(folder, 'kubeconform')
}

/** Returns the program and first arguments that start Schemathesis, the fuzzer of `npm run fuzz`. */
export async function ensureSchemathesis() {
  const title = `Schemathesis ${SCHEMATHESIS_VERSION} (from PyPI into a separate Python environment, once)`
  const folder = await installOnce(`schemathesis-${SCHEMATHESIS_VERSION}`, title, install)
  const bin = join(folder, 'bin')
  // Started through the interpreter, because the script's first line names its original folder.
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
