// npm run verify:kubernetes: checks deploy/kubernetes with kubeconform against the schemas of Kubernetes and KEDA.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { parseAllDocuments } from 'yaml'
import { ensureKubeconform, projectDir } from '../../scripts/bootstrap/tools.mjs'
import { writeSchemas } from './schemas.ts'

const MANIFESTS = join(projectDir, 'deploy', 'kubernetes')
/** Read by kubectl itself. */
const WITHOUT_SCHEMA = 'kustomization.yaml'

/** The kinds of the resources in files of the manifests. */
function kindsOf(files: string[]): Set<string> {
  const documents = files.flatMap((name) =>
    parseAllDocuments(readFileSync(join(MANIFESTS, name), 'utf8')),
  )
  return new Set(documents.map((document) => String(document.get('kind'))))
}

const schemas = mkdtempSync(join(tmpdir(), 'reelgate-schemas-'))
try {
  const files = readdirSync(MANIFESTS).filter((name) => name !== WITHOUT_SCHEMA)
  await writeSchemas(schemas, kindsOf(files))
  const location = join(schemas, '{{ .ResourceKind }}{{ .KindSuffix }}.json')
  const args = ['-strict', '-summary', '-verbose', '-schema-location', location, ...files]
  const { exitCode } = await execa(await ensureKubeconform(), args, {
    cwd: MANIFESTS,
    stdio: 'inherit',
    reject: false,
  })
  process.exitCode = exitCode
} finally {
  rmSync(schemas, { recursive: true })
}
