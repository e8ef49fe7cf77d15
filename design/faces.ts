import type { Language } from '../domain/language.ts'

/** A file of a typeface, of which a browser loads those whose characters a page has. */
export interface Face {
  /** In its address, before the hash of its content. */
  name: string
  family: string
  /** The module that is the file. */
  module: string
  unicodeRange: string
  /** The languages whose pages need it at once; in other pages it loads when one of its characters appears. */
  languages: readonly Language[]
}

const LATIN: readonly Language[] = ['en', 'de', 'es', 'fr', 'pt']

/** Geist for Latin letters and digits, Vazirmatn for Arabic letters. Each has all weights in one file (ADR 0056). */
export const FACES: readonly Face[] = [
  {
    name: 'geist-latin',
    family: 'Geist Variable',
    module: '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
    unicodeRange:
      'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
    languages: [...LATIN, 'ar'],
  },
  {
    name: 'geist-latin-ext',
    family: 'Geist Variable',
    module: '@fontsource-variable/geist/files/geist-latin-ext-wght-normal.woff2',
    unicodeRange:
      'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
    languages: [],
  },
  {
    name: 'vazirmatn-arabic',
    family: 'Vazirmatn Variable',
    module: '@fontsource-variable/vazirmatn/files/vazirmatn-arabic-wght-normal.woff2',
    unicodeRange:
      'U+0600-06FF,U+0750-077F,U+0870-088E,U+0890-0891,U+0897-08E1,U+08E3-08FF,U+200C-200E,U+FB50-FDFF,U+FE70-FE74,U+FE76-FEFC',
    languages: ['ar'],
  },
]

/**
 * Returns the CSS rule of a face at an address. A page that does not have the file in time keeps the system's own face until it is
 * loaded again, so that no text moves.
 */
export const faceRule = ({ family, unicodeRange }: Face, url: string): string =>
  `@font-face{font-family:'${family}';font-weight:100 900;font-display:optional;` +
  `src:url(${url}) format('woff2');unicode-range:${unicodeRange}}\n`
