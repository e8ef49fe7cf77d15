const SWITCHES = ['autoplay', 'muted', 'loop', 'together', 'skip']
const VALUES = ['start', 'lang', 'captions']

/**
 * Returns the address of the iframe: `src` with the options of the element's attributes as query
 * parameters. Returns null if it is not a web address: a `javascript:` URL would run in the site's origin.
 */
export function embedAddress(
  src: string | null,
  { base, attribute }: { base: string; attribute: (name: string) => string | null },
): URL | null {
  let url: URL
  try {
    url = new URL(src ?? '', base)
  } catch {
    return null
  }
  if (!src || !/^https?:$/.test(url.protocol)) return null
  for (const name of SWITCHES) if (attribute(name) !== null) url.searchParams.set(name, '1')
  for (const name of VALUES) {
    const value = attribute(name)
    if (value) url.searchParams.set(name, value)
  }
  return url
}
