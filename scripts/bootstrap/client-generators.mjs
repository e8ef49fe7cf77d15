import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, runCommand } from './commands.mjs'
import { sha256OfFile } from './download.mjs'
import { mavenCacheArguments, projectDir } from './environment.mjs'
import { buildGoProgram } from './go-program.mjs'
import { installOnce } from './install-once.mjs'
import { installNpmTools } from './npm-tools.mjs'
import { SetupError } from './report.mjs'

// The generators of `npm run verify:clients`. None is a dependency of the project.
const OAPI_CODEGEN_VERSION = '2.8.2'
const OPENAPI_PYTHON_CLIENT_VERSION = '0.29.1'
const OPENAPI_GENERATOR_VERSION = '7.25.0'
const OPENAPI_GENERATOR_SHA256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae'
const HEY_API_VERSION = '0.99.0'
const AXIOS_VERSION = '1.21.1'
/** The last one with the compiler as a library, which Hey API uses. */
const TYPESCRIPT_VERSION = '6.0.3'

const CLIENTS = join(projectDir, 'test', 'clients')

/** Returns the path of oapi-codegen, the generator for Go. Throws a MissingProgramError without Go, which also compiles its client. */
export async function ensureOapiCodegen() {
  needProgram('go', 'Go 1.26')
  const folder = await installOnce(
    `oapi-codegen-${OAPI_CODEGEN_VERSION}`,
    'oapi-codegen (built from source, once)',
    (into) =>
      buildGoProgram({
        moduleDir: 'test/clients/oapi-codegen',
        packagePath: 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen',
        output: join(into, 'oapi-codegen'),
      }),
  )
  return join(folder, 'oapi-codegen')
}

/**
 * Returns the Python of an environment with openapi-python-client and what its clients and those of OpenAPI Generator
 * import. Throws a MissingProgramError without Python.
 */
export async function ensurePythonClients() {
  const python = needProgram('python3', 'Python 3.11')
  const folder = await installOnce(
    `openapi-python-client-${OPENAPI_PYTHON_CLIENT_VERSION}`,
    'openapi-python-client (from PyPI into a separate Python environment, once)',
    async (into) => {
      await runCommand(python, ['-m', 'venv', into])
      const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input']
      const requirements = join(CLIENTS, 'requirements.txt')
      await runCommand(join(into, 'bin', 'python'), [...pip, '-r', requirements])
    },
  )
  return join(folder, 'bin', 'python')
}

/**
 * Returns the path of OpenAPI Generator's jar, and of the folder with the jars that its Java clients import. Throws a
 * MissingProgramError without a JDK or Maven.
 */
export async function ensureOpenapiGenerator() {
  needProgram('javac', 'a JDK 17')
  needProgram('mvn', 'Maven')
  const folder = await installOnce(
    `openapi-generator-${OPENAPI_GENERATOR_VERSION}`,
    'OpenAPI Generator (with Maven, once)',
    async (into) => {
      for (const part of ['generator', 'client']) {
        const pom = join(CLIENTS, 'java', `${part}.xml`)
        const settings = [`-DoutputDirectory=${join(into, part)}`, ...mavenCacheArguments()]
        await runCommand('mvn', [
          '-q',
          '-B',
          '-f',
          pom,
          'dependency:copy-dependencies',
          ...settings,
        ])
      }
      const jar = jarIn(into)
      if (!existsSync(jar) || sha256OfFile(jar) !== OPENAPI_GENERATOR_SHA256)
        throw new SetupError(`Maven did not fetch OpenAPI Generator ${OPENAPI_GENERATOR_VERSION}`)
    },
  )
  return { jar: jarIn(folder), clientJars: join(folder, 'client') }
}

const jarIn = (folder) =>
  join(folder, 'generator', `openapi-generator-cli-${OPENAPI_GENERATOR_VERSION}.jar`)

/** Returns the `node_modules` with Hey API's generator and axios. */
export const ensureNpmClients = () =>
  installNpmTools(`hey-api-${HEY_API_VERSION}`, 'Hey API and axios', [
    `@hey-api/openapi-ts@${HEY_API_VERSION}`,
    `axios@${AXIOS_VERSION}`,
    `typescript@${TYPESCRIPT_VERSION}`,
  ])

/** A compiler or interpreter that the project does not install. */
export class MissingProgramError extends SetupError {}

function needProgram(name, title) {
  const path = findProgram(name)
  if (!path) throw new MissingProgramError(`${title} is not installed`)
  return path
}
