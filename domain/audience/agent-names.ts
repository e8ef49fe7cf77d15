/** Tokens of User-Agents; the first that fits names the browser, because each contains those after it. */
const BROWSERS: readonly [token: RegExp, name: string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEMS: readonly [token: RegExp, name: string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** Reads the browser and the system of a User-Agent; null for what is not known. */
export function agentNames(agent: string): { browser: string | null; system: string | null } {
  const nameOf = (names: typeof BROWSERS): string | null =>
    names.find(([token]) => token.test(agent))?.[1] ?? null
  return { browser: nameOf(BROWSERS), system: nameOf(SYSTEMS) }
}
