import { useWords } from '../../locales/words.tsx'
import type { OverviewWords } from './locales/en.ts'

/** The words of the overview: part of those of the frame, so that the first view waits for no other file. */
export const useOverviewWords = (): OverviewWords => useWords().overview
