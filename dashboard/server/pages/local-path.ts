/** Any host will do: the address is only parsed. */
const HERE = 'http://here.invalid'

/**
 * Returns the path of a page of this dashboard to go to after the sign-in; `/` for anything that could
 * lead elsewhere, such as `//evil.example` and `/\evil.example`.
 */
export function localPath(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, HERE)) return '/'
  const { origin, pathname, search, hash } = new URL(next, HERE)
  // `/.//evil.example` has the path `//evil.example`.
  const isLocal = origin === HERE && !pathname.startsWith('//')
  return isLocal ? `${pathname}${search}${hash}` : '/'
}
