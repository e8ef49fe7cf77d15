import { readFileSync } from 'node:fs'

/** The environment with the secrets that files hold, and what is wrong with those files. */
interface EnvironmentWithSecrets {
  env: Record<string, string | undefined>
  /** A line for each unusable file, which names its variable. No line contains a secret. */
  problems: string[]
}

/**
 * Reads `NAME_FILE` for each secret `NAME`, without the line break at the end of the file. An empty
 * file counts as unset, as an empty variable does.
 */
export function readSecretFiles(
  env: Record<string, string | undefined>,
  secrets: readonly string[],
): EnvironmentWithSecrets {
  const found: Record<string, string> = {}
  const problems: string[] = []
  for (const name of secrets) {
    const path = env[`${name}_FILE`]
    if (path === undefined) continue
    if (env[name] !== undefined) {
      problems.push(`${name}: ${name}_FILE is set too; only one of them may be`)
      continue
    }
    try {
      const secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
      if (secret !== '') found[name] = secret
    } catch (error) {
      problems.push(`${name}_FILE: ${path} cannot be read (${errorCode(error)})`)
    }
  }
  return { env: { ...env, ...found }, problems }
}

const errorCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error)
