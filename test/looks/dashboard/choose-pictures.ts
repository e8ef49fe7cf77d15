import { turn } from './rows/filled-account.ts'

/** Width and height of the window. */
export const WINDOWS = [
  { width: 360, height: 1000 },
  { width: 768, height: 1100 },
  { width: 1440, height: 1000 },
  { width: 2560, height: 1440 },
] as const

export const SCHEMES = ['light', 'dark', 'forced colours'] as const

export const LANGUAGES = ['en', 'de', 'ar'] as const

/** How much an account has, or what the page's own request comes to. */
export const STATES = ['many', 'one', 'empty', 'error', 'loading'] as const

export type State = (typeof STATES)[number]

/** How a page is looked at. */
export interface Look {
  window: (typeof WINDOWS)[number]
  scheme: (typeof SCHEMES)[number]
  language: (typeof LANGUAGES)[number]
}

export interface Choice extends Look {
  state: State
}

/**
 * Chooses twelve pictures, row by row of one width each: all pairs of width and scheme, width and language, and scheme and
 * language are among them, and each state of the page at least twice. Throws an Error for a page without a state.
 */
export const choosePictures = (states: readonly State[]): Choice[] =>
  WINDOWS.flatMap((window, row) =>
    SCHEMES.map((scheme, column) => ({
      window,
      scheme,
      language: turn(LANGUAGES, row + column),
      // Not in step with the language, so that a state is seen in several.
      state: turn(states, row + 2 * column),
    })),
  )

/** Returns every picture of a page. */
export const everyPicture = (states: readonly State[]): Choice[] =>
  WINDOWS.flatMap((window) =>
    SCHEMES.flatMap((scheme) =>
      LANGUAGES.flatMap((language) => states.map((state) => ({ window, scheme, language, state }))),
    ),
  )
