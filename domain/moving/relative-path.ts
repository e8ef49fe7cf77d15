/**
 * Returns what is wrong with the path of a file beside a manifest: it is relative, with slashes, and never leaves the folder. Null if nothing
 * is. Whether a link leads out, only the disk knows.
 */
export function relativePathFault(path: string): string | null {
  if (path.includes('\\')) return 'must have slashes, and no backslash'
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path))
    return 'must be relative to the folder of the manifest'
  const parts = path.split('/')
  if (parts.includes('..')) return 'must stay in the folder of the manifest: it has ..'
  if (parts.some((part) => part === '' || part === '.'))
    return 'must be a path without empty parts, and without .'
  return null
}
