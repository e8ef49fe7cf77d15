import { join } from 'node:path'
import { installNpmTools } from './npm-tools.mjs'

const RECHECK_VERSION = '4.5.0'

/** Returns the folder of recheck, which finds regular expressions that take more than linear time. It is no dependency of the project. */
export async function ensurePatternChecker() {
  const named = `recheck@${RECHECK_VERSION}`
  return join(await installNpmTools(`recheck-${RECHECK_VERSION}`, 'recheck', [named]), 'recheck')
}
