// npm run check: the static checks alone.
import { onShutdownRequest } from './lifetime.ts'
import { endPrograms } from './testing/run-program.ts'
import { runStaticChecks } from './testing/static-checks.ts'

onShutdownRequest(() => {
  endPrograms()
  process.exit(130)
})

const { failed } = await runStaticChecks()
process.exitCode = failed === 0 ? 0 : 1
