import { execa, execaSync } from 'execa'
import { childEnvironment } from './config/config.ts'

const bare = (more: Record<string, string>) =>
  ({ env: { ...childEnvironment(), ...more }, extendEnv: false }) as const

/**
 * Returns an execa that starts programs without the settings and secrets of this process: tools read files of strangers,
 * and crash dumps and `/proc` show an environment. `more` adds variables. All production code starts
 * programs with it or `bareExecaSync`, except what starts whole services (`.dependency-cruiser.cjs`).
 */
export const bareExeca = (more: Record<string, string> = {}) => execa(bare(more))

/** The same for `execaSync`. */
export const bareExecaSync = (more: Record<string, string> = {}) => execaSync(bare(more))
