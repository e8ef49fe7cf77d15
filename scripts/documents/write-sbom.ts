// Prints the software bill of materials: `npm run --silent sbom > sbom.json`.
import { execa } from 'execa'
import { z } from 'zod'
import { COPIED_PACKAGES, type CopiedPackage } from './copied-packages.ts'

const FROM_LOCKFILE = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev']
const bomSchema = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ name: z.string(), type: z.string() }) }),
  components: z.array(z.looseObject({ externalReferences: z.array(z.unknown()).optional() })),
})

const component = ({ name, version, licence }: CopiedPackage) => ({
  'bom-ref': `${name}@${version}`,
  type: 'library',
  name,
  version,
  scope: 'required',
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  licenses: [{ license: { id: licence } }],
})

const { stdout } = await execa('npm', FROM_LOCKFILE)
const bom = bomSchema.parse(JSON.parse(stdout))
// npm names it after the folder, and calls it a library.
Object.assign(bom.metadata.component, { name: 'reelgate', type: 'application' })
// The addresses of archives are those of the lock file, on a host that does not exist. The purl says what a package is.
for (const one of bom.components) delete one.externalReferences
bom.components.push(...COPIED_PACKAGES.map(component))
console.log(JSON.stringify(bom, null, 2))
