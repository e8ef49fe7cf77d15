import { describe, expect, it } from '@jest/globals'
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

const advice = (userAgent: string) => appOnlyVerdict(classifyBrowser(userAgent))

describe('App-Only mode', () => {
  it.each([
    ['Edge on Windows', `${WINDOWS} ${CHROME} Edg/141.0.0.0`],
    ['Safari on a Mac', `${MAC} ${WEBKIT} Version/18.1 Safari/605.1.15`],
    ['Safari on an iPhone', `${IPHONE} ${WEBKIT} Version/18.1 Mobile/15E148 Safari/604.1`],
    ['Safari on an iPad', `${IPAD} ${WEBKIT} Version/18.1 Mobile/15E148 Safari/604.1`],
    ['Safari on an iPad that says it is a Mac', `${MAC} ${WEBKIT} Version/17.4 Safari/605.1.15`],
  ])('plays %s', (_name, userAgent) => expect(advice(userAgent)).toBe('play'))

  it.each([
    ['Chrome', `${ANDROID} ${CHROME}`],
    ['Edge', `${ANDROID} ${CHROME} EdgA/141.0.0.0`],
    [
      'Samsung Internet',
      `${ANDROID} ${BLINK} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    ],
    ['Firefox', 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'],
    ['Opera', `${ANDROID} ${CHROME} OPR/90.0`],
    ['a web view', `${ANDROID} ${BLINK} Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36`],
  ])('offers the app to %s on Android', (_name, userAgent) =>
    expect(advice(userAgent)).toBe('open_app'),
  )

  it.each([
    ['Chrome', `${WINDOWS} ${CHROME}`],
    ['Firefox', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['Opera', `${WINDOWS} ${CHROME} OPR/120.0.0.0`],
    ['the old Edge', `${WINDOWS} ${BLINK} Chrome/64.0 Safari/537.36 Edge/18.19041`],
  ])('asks %s on Windows to open Edge', (_name, userAgent) =>
    expect(advice(userAgent)).toBe('open_edge'),
  )

  it.each([
    ['Chrome on a Mac', `${MAC} ${CHROME}`],
    ['Edge on a Mac', `${MAC} ${CHROME} Edg/141.0.0.0`],
    ['Firefox on a Mac', `${MAC.replace(')', '; rv:140.0)')} Gecko/20100101 Firefox/140.0`],
    ['Opera on a Mac', `${MAC} ${CHROME} OPR/120.0.0.0`],
    ['Chrome on an iPhone', `${IPHONE} ${WEBKIT} CriOS/141.0 Mobile/15E148 Safari/604.1`],
    ['Firefox on an iPhone', `${IPHONE} ${WEBKIT} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
    ['Edge on an iPhone', `${IPHONE} ${WEBKIT} Version/18.0 EdgiOS/141.0 Mobile Safari/605.1.15`],
    ['Opera on an iPhone', `${IPHONE} ${WEBKIT} Version/18.0 Mobile Safari/604.1 OPT/5.0`],
    ['Chrome on an iPad that says it is a Mac', `${MAC} ${WEBKIT} CriOS/141 Safari/605.1.15`],
    ['Facebook on an iPhone', `${IPHONE} ${WEBKIT} Mobile/15E148 [FBAN/FBIOS;FBAV/480.0]`],
    ['a web view on an iPhone', `${IPHONE} ${WEBKIT} Mobile/15E148`],
  ])('asks %s to open Safari', (_name, userAgent) => expect(advice(userAgent)).toBe('open_safari'))

  it.each([
    ['Chrome on Linux', `${LINUX} ${CHROME}`],
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['Edge on Linux', `${LINUX} ${CHROME} Edg/141.0.0.0`],
    ['ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`],
    ['a television', `Mozilla/5.0 (Web0S; Linux/SmartTV) ${CHROME}`],
    ['curl', 'curl/8.5.0'],
    ['an empty User-Agent', ''],
  ])('guides %s to the app', (_name, userAgent) => expect(advice(userAgent)).toBe('guidance'))
})
