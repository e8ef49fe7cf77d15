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

/** Reads a User-Agent for people, such as `Firefox, Windows`; null if it is no known browser. */
export function browserName(agent: string): { browser: string | null; isMobile: boolean } {
  const browser = BROWSERS.find(([token]) => token.test(agent))?.[1]
  const system = SYSTEMS.find(([token]) => token.test(agent))?.[1]
  return {
    browser: [browser, system].filter((part) => part !== undefined).join(', ') || null,
    isMobile: /Mobi|Android|iPhone|iPad/.test(agent),
  }
}
