import { createContext, use } from 'react'

/** The title of the area with tabs around a page; null if there is none. */
export const AreaTitle = createContext<string | null>(null)

/** Returns the levels of the headings of the page and of its sections. The title of an area is the `h1` there. */
export const useHeadingLevels = (): { page: 1 | 2; section: 2 | 3 } =>
  use(AreaTitle) === null ? { page: 1, section: 2 } : { page: 2, section: 3 }
