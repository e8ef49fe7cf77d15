/** Class of a browser in App-Only mode (contract, "Player host"). */
export type BrowserClass =
  'android' | 'windows-edge' | 'windows-other' | 'apple-safari' | 'apple-other' | 'other'

/**
 * The complete User-Agent of Safari. All other browsers and web views on Apple devices add a word to it
 * or omit one.
 */
const SAFARI =
  /^Mozilla\/5\.0 \([^()]*\) AppleWebKit\/[\d.]+ \(KHTML, like Gecko\) Version\/[\d.]+( Mobile\/\w+)? Safari\/[\d.]+$/

/**
 * Classifies a browser by its User-Agent. Client hints would not help: Safari and Firefox do not send
 * them, and Chromium's name the wrong brand if the agent was changed. A missing agent is `other`.
 */
export function classifyBrowser(userAgent: string): BrowserClass {
  // Windows Phone also claimed to be Android, to get mobile pages.
  if (/\bWindows Phone\b/.test(userAgent)) return 'other'
  if (/\bAndroid\b/.test(userAgent)) return 'android'
  if (/\bWindows\b/.test(userAgent))
    return /\bEdg\//.test(userAgent) ? 'windows-edge' : 'windows-other'
  // iPads claim to be Macs. The verdict is the same.
  if (/\b(Macintosh|iPhone|iPad|iPod)\b/.test(userAgent))
    return SAFARI.test(userAgent) ? 'apple-safari' : 'apple-other'
  return 'other'
}

/** The pages of App-Only mode. `no_hardware` is for a browser that plays, on a device that does not. */
export type AppOnlyRefusal = 'open_app' | 'open_edge' | 'open_safari' | 'guidance' | 'no_hardware'

/** Returns the verdict of App-Only mode: play, or which page to show instead. */
export function appOnlyVerdict(
  browser: BrowserClass,
): 'play' | Exclude<AppOnlyRefusal, 'no_hardware'> {
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
