/** Browsers and systems that a report may name. Nothing else of a User-Agent is kept. */
type BrowserWord = 'Edge' | 'Opera' | 'Samsung Internet' | 'Firefox' | 'Chrome' | 'Safari'
type SystemWord = 'iOS' | 'Android' | 'Windows' | 'macOS' | 'ChromeOS' | 'Linux'

/** Tokens of User-Agents; the first that fits names the browser, because each contains those after it. */
const BROWSER_TOKENS: readonly [token: RegExp, word: BrowserWord][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEM_TOKENS: readonly [token: RegExp, word: SystemWord][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** Returns the words for browser and system of a User-Agent; null for unknown ones. */
export function deviceWords(userAgent: string): {
  browser: BrowserWord | null
  system: SystemWord | null
} {
  return {
    browser: BROWSER_TOKENS.find(([token]) => token.test(userAgent))?.[1] ?? null,
    system: SYSTEM_TOKENS.find(([token]) => token.test(userAgent))?.[1] ?? null,
  }
}
