/** What a browser is for App-Only mode (spec, "Player host"). */
export type BrowserClass =
  'android' | 'windows-edge' | 'windows-other' | 'apple-safari' | 'apple-other' | 'other'

/** Chromium, Gecko and others name themselves beside the "Safari" that they all carry. */
const NOT_SAFARI =
  /\b(Chrome|Chromium|CriOS|FxiOS|EdgiOS|EdgA?|OPR|OPiOS|OPT|SamsungBrowser|DuckDuckGo|Ddg|YaBrowser|Vivaldi|Brave|GSA)\//

/**
 * Classifies by User-Agent alone: Safari and Firefox send no client hints, and Chromium's name the
 * wrong brand where the agent was changed. A missing agent is `other`.
 */
export function classifyBrowser(userAgent: string): BrowserClass {
  if (/\bAndroid\b/.test(userAgent)) return 'android'
  if (/\bWindows\b/.test(userAgent))
    return /\bEdg\//.test(userAgent) ? 'windows-edge' : 'windows-other'
  // iPads call themselves Macs: the verdict is the same.
  if (/\b(Macintosh|iPhone|iPad|iPod)\b/.test(userAgent)) {
    const isSafari = /\bVersion\/[\d.]+.*\bSafari\//.test(userAgent) && !NOT_SAFARI.test(userAgent)
    return isSafari ? 'apple-safari' : 'apple-other'
  }
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
