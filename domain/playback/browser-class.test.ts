import { describe, expect, it } from 'vitest'
import { appOnlyVerdict, classifyBrowser } from './browser-class.ts'

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)'
const IPAD = 'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9)'
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64)'
const CHROME = `${BLINK} Chrome/141.0.0.0 Safari/537.36`
const MOBILE_SAFARI = 'Version/18.1 Mobile/15E148 Safari/604.1'

const advice = (userAgent: string) => appOnlyVerdict(classifyBrowser(userAgent))

describe('App-Only mode', () => {
  it.each([
    ['Edge on Windows', `${WINDOWS} ${CHROME} Edg/141.0.0.0`],
    ['Edge on Windows on ARM', `Mozilla/5.0 (Windows NT 10.0; ARM64) ${CHROME} Edg/141.0.0.0`],
    ['Edge on an Xbox', `Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox) ${CHROME} Edg/141.0`],
    ['Safari on a Mac', `${MAC} ${WEBKIT} Version/18.1 Safari/605.1.15`],
    ['Safari 26 on a Mac', `${MAC} ${WEBKIT} Version/26.0 Safari/605.1.15`],
    ['Safari on an iPhone', `${IPHONE} ${WEBKIT} ${MOBILE_SAFARI}`],
    ['Safari on an iPad', `${IPAD} ${WEBKIT} ${MOBILE_SAFARI}`],
    [
      'Safari on an iPad that identifies itself as a Mac',
      `${MAC} ${WEBKIT} Version/17.4 Safari/605.1.15`,
    ],
    ['Safari on an iPod', `${IPHONE.replace('iPhone;', 'iPod touch;')} ${WEBKIT} ${MOBILE_SAFARI}`],
    // It cannot be distinguished from Safari, and its engine is the same.
    ['Brave on an iPhone', `${IPHONE} ${WEBKIT} ${MOBILE_SAFARI}`],
  ])('plays %s', (_name, userAgent) => expect(advice(userAgent)).toBe('play'))

  it.each([
    ['Chrome', `${ANDROID} ${CHROME}`],
    ['Chrome with a reduced agent', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME}`],
    ['Edge', `${ANDROID} ${CHROME} EdgA/141.0.0.0`],
    [
      'Samsung Internet',
      `${ANDROID} ${BLINK} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    ],
    ['Firefox', 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'],
    ['Firefox Focus', `${ANDROID} ${BLINK} Version/4.0 Focus/8.0 Chrome/141 Mobile Safari/537.36`],
    ['Opera', `${ANDROID} ${CHROME} OPR/90.0`],
    [
      'Opera Mini',
      'Opera/9.80 (Android; Opera Mini/36.2/191.256; U; en) Presto/2.12 Version/12.16',
    ],
    [
      'DuckDuckGo',
      `${ANDROID} ${BLINK} Version/4.0 Chrome/141.0 Mobile DuckDuckGo/5 Safari/537.36`,
    ],
    ['Brave', `${ANDROID} ${BLINK} Chrome/141.0.0.0 Mobile Safari/537.36`],
    ['Vivaldi', `${ANDROID} ${CHROME} Vivaldi/7.0`],
    ['a web view', `${ANDROID} ${BLINK} Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36`],
    ['Facebook', `${ANDROID} ${BLINK} Version/4.0 Chrome/141.0 Mobile Safari/537.36 [FB_IAB/FB4A]`],
    ['an old browser', 'Mozilla/5.0 (Linux; U; Android 4.0.3; de-de) Version/4.0 Safari/534.30'],
    [
      'Silk',
      `Mozilla/5.0 (Linux; Android 9; KFTRWI) ${BLINK} Silk/120.1 like Chrome/120 Safari/537.36`,
    ],
    ['a television', `Mozilla/5.0 (Linux; Android 12; BRAVIA 4K) ${CHROME}`],
    [
      'the smartphone crawler of Google',
      `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) ${CHROME} (compatible; Googlebot/2.1)`,
    ],
  ])('offers the app to %s on Android', (_name, userAgent) =>
    expect(advice(userAgent)).toBe('open_app'),
  )

  it.each([
    ['Chrome', `${WINDOWS} ${CHROME}`],
    ['Firefox', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['Opera', `${WINDOWS} ${CHROME} OPR/120.0.0.0`],
    ['Vivaldi', `${WINDOWS} ${CHROME} Vivaldi/7.0`],
    ['Brave', `${WINDOWS} ${CHROME}`],
    ['DuckDuckGo without the mark of Edge', `${WINDOWS} ${CHROME} Ddg/141.0`],
    ['the old Edge', `${WINDOWS} ${BLINK} Chrome/64.0 Safari/537.36 Edge/18.19041`],
    ['Internet Explorer', 'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko'],
    ['an app in Electron', `${WINDOWS} ${BLINK} App/1.0 Chrome/130 Electron/33.0 Safari/537.36`],
  ])('asks %s on Windows to open Edge', (_name, userAgent) =>
    expect(advice(userAgent)).toBe('open_edge'),
  )

  it.each([
    ['Chrome on a Mac', `${MAC} ${CHROME}`],
    ['Edge on a Mac', `${MAC} ${CHROME} Edg/141.0.0.0`],
    ['Firefox on a Mac', `${MAC.replace(')', '; rv:140.0)')} Gecko/20100101 Firefox/140.0`],
    ['Opera on a Mac', `${MAC} ${CHROME} OPR/120.0.0.0`],
    ['Brave on a Mac', `${MAC} ${CHROME}`],
    ['Vivaldi on a Mac', `${MAC} ${CHROME} Vivaldi/7.0`],
    ['DuckDuckGo on a Mac', `${MAC} ${WEBKIT} Version/18.1 Safari/605.1.15 Ddg/18.1`],
    ['the crawler of Apple', `${MAC} ${WEBKIT} Version/17.4 Safari/605.1.15 (Applebot/0.1)`],
    ['headless Chrome on a Mac', `${MAC} ${BLINK} HeadlessChrome/141.0.0.0 Safari/537.36`],
    ['Chrome on an iPhone', `${IPHONE} ${WEBKIT} CriOS/141.0 Mobile/15E148 Safari/604.1`],
    ['Firefox on an iPhone', `${IPHONE} ${WEBKIT} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
    ['Firefox Focus on an iPhone', `${IPHONE} ${WEBKIT} Focus/140.0 Mobile/15E148 Safari/605.1.15`],
    ['Edge on an iPhone', `${IPHONE} ${WEBKIT} Version/18.0 EdgiOS/141.0 Mobile Safari/605.1.15`],
    ['Opera on an iPhone', `${IPHONE} ${WEBKIT} Version/18.0 Mobile Safari/604.1 OPT/5.0`],
    ['Opera Mini on an iPhone', `${IPHONE} ${WEBKIT} OPiOS/16.0 Mobile/15E148 Safari/604.1`],
    ['Opera GX on an iPhone', `${IPHONE} ${WEBKIT} ${MOBILE_SAFARI} OPX/2.5`],
    ['DuckDuckGo on an iPhone', `${IPHONE} ${WEBKIT} ${MOBILE_SAFARI} Ddg/18.1`],
    ['Vivaldi on an iPhone', `${IPHONE} ${WEBKIT} ${MOBILE_SAFARI} Vivaldi/7.0`],
    ['Google on an iPhone', `${IPHONE} ${WEBKIT} GSA/340.0 Mobile/15E148 Safari/604.1`],
    [
      'Yandex on an iPhone',
      `${IPHONE} ${WEBKIT} Version/18.1 YaBrowser/25.1 Mobile/15E148 Safari/604.1`,
    ],
    [
      'Ecosia on an iPhone',
      `${IPHONE} ${WEBKIT} Version/18.1 (Ecosia ios@11.2) Mobile/15E148 Safari/604.1`,
    ],
    [
      'Chrome on an iPad that identifies itself as a Mac',
      `${MAC} ${WEBKIT} CriOS/141 Safari/605.1.15`,
    ],
    ['an older Chrome on such an iPad', `${MAC} ${WEBKIT} CriOS/85 Version/11.1.1 Safari/605.1.15`],
    ['Facebook on an iPhone', `${IPHONE} ${WEBKIT} Mobile/15E148 [FBAN/FBIOS;FBAV/480.0]`],
    ['Instagram on an iPhone', `${IPHONE} ${WEBKIT} Mobile/15E148 Instagram 350.0 (iPhone16,1)`],
    ['a web view on an iPhone', `${IPHONE} ${WEBKIT} Mobile/15E148`],
    ['a web view on a Mac', `${MAC} ${WEBKIT}`],
  ])('asks %s to open Safari', (_name, userAgent) => expect(advice(userAgent)).toBe('open_safari'))

  it.each([
    ['Chrome on Linux', `${LINUX} ${CHROME}`],
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['Edge on Linux', `${LINUX} ${CHROME} Edg/141.0.0.0`],
    ['WebKit on Linux', `${LINUX} ${WEBKIT} Version/18.0 Safari/605.1.15`],
    // It sends the User-Agent of a desktop; the page has the link that opens the app.
    ['Chrome on Android in desktop mode', `${LINUX} ${CHROME}`],
    ['ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`],
    ['a television with webOS', `Mozilla/5.0 (Web0S; Linux/SmartTV) ${CHROME} WebAppManager`],
    [
      'a television with Tizen',
      `Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) ${BLINK} 76.0.3809.146/6.0 TV Safari/537.36`,
    ],
    [
      'a PlayStation',
      `Mozilla/5.0 (PlayStation; PlayStation 5/8.0) ${WEBKIT} Version/13 Safari/605.1.15`,
    ],
    [
      'Windows Phone',
      `Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Lumia) ${CHROME} Edge/15.15`,
    ],
    [
      'HarmonyOS',
      `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${BLINK} Chrome/114 Safari/537.36 ArkWeb/4`,
    ],
    ['KaiOS', 'Mozilla/5.0 (Mobile; Nokia_2720; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5'],
    ['FreeBSD', 'Mozilla/5.0 (X11; FreeBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    [
      'the crawler of Google',
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot)',
    ],
    ['the crawler of Facebook', 'facebookexternalhit/1.1'],
    ['curl', 'curl/8.5.0'],
    ['an empty User-Agent', ''],
    ['nonsense', '\u0000()*+?[^Safari/'],
  ])('guides %s to the app', (_name, userAgent) => expect(advice(userAgent)).toBe('guidance'))

  it('is decided without a delay for a long User-Agent', () => {
    const long = `Mozilla/5.0 (${'iPhone '.repeat(20_000)}) AppleWebKit/${'1.'.repeat(20_000)}`
    expect(advice(long)).toBe('open_safari')
  })
})
