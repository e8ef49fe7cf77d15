import { execa } from 'execa'
import { childEnvironment } from './config/config.ts'

/**
 * Returns the environment of a child process: without the settings and secrets of this process, because tools read files of
 * strangers, and crash dumps and `/proc` show an environment. `more` adds variables.
 */
export const bareEnvironment = (more: Record<string, string> = {}): Record<string, string> => ({
  ...childEnvironment(),
  ...more,
})

/**
 * Returns an execa that starts programs with a bare environment. All production code starts programs with it, except
 * `media/launcher/`, which starts tools, and what starts whole services (`.dependency-cruiser.cjs`).
 */
export const bareExeca = (more: Record<string, string> = {}) =>
  execa({ env: bareEnvironment(more), extendEnv: false })
