import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from '../bootstrap/tools.mjs'

/** Returns the files of the checkout that match `patterns` of Git, all without any, also those that are not yet committed. */
export function listedFiles(...patterns: string[]): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns]
  const listed = execFileSync('git', args, { cwd: projectDir, encoding: 'utf8' })
  return listed.split('\n').filter((path) => path && existsSync(join(projectDir, path)))
}
