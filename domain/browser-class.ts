/** What a browser is for App-Only mode (spec, "Player host"). */
export type BrowserClass =
  'android' | 'windows-edge' | 'windows-other' | 'apple-safari' | 'apple-other' | 'other'

/**
 * The whole User-Agent of Safari. Every other browser of an Apple device, and every app that shows
 * pages, adds a word of its own to it or leaves one out, so what is not exactly this is not Safari.
 */
const SAFARI =
  /^Mozilla\/5\.0 \([^()]*\) AppleWebKit\/[\d.]+ \(KHTML, like Gecko\) Version\/[\d.]+( Mobile\/\w+)? Safari\/[\d.]+$/

/**
 * Classifies by User-Agent alone: Safari and Firefox send no client hints, and Chromium's name the
 * wrong brand where the agent was changed. A missing agent is `other`.
 */
export function classifyBrowser(userAgent: string): BrowserClass {
  // It named Android too, so as to be sent mobile pages.
  if (/\bWindows Phone\b/.test(userAgent)) return 'other'
  if (/\bAndroid\b/.test(userAgent)) return 'android'
  if (/\bWindows\b/.test(userAgent))
    return /\bEdg\//.test(userAgent) ? 'windows-edge' : 'windows-other'
  // iPads call themselves Macs: the verdict is the same.
  if (/\b(Macintosh|iPhone|iPad|iPod)\b/.test(userAgent))
    return SAFARI.test(userAgent) ? 'apple-safari' : 'apple-other'
  return 'other'
}

/** What App-Only mode tells a browser: play, or which way to go instead. */
export function appOnlyVerdict(
  browser: BrowserClass,
): 'play' | 'open_app' | 'open_edge' | 'open_safari' | 'guidance' {
  switch (browser) {
    case 'windows-edge':
    case 'apple-safari':
      return 'play'
    case 'android':
      return 'open_app'
    case 'windows-other':
      return 'open_edge'
    case 'apple-other':
      return 'open_safari'
    case 'other':
      return 'guidance'
  }
}
