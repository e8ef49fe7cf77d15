/** Any host will do: the address is only parsed. */
const HERE = 'http://here.invalid'

/** The pages that a sign-in may lead to: the start, those of an account, and that of an invitation. */
const PAGE = /^\/(?:accounts\/\d+(?:\/.*)?|welcome)?$/

/**
 * Returns the path of a page of this dashboard to go to after the sign-in. Returns `/` for anything that is no such
 * page, such as `/sign-out`, and for what could lead elsewhere, such as `//evil.example` and `/\evil.example`.
 */
export function localPath(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, HERE)) return '/'
  const { origin, pathname, search, hash } = new URL(next, HERE)
  return origin === HERE && PAGE.test(pathname) ? `${pathname}${search}${hash}` : '/'
}
