import { deviceWords } from '../../../../domain/playback-reports/device-words.ts'

/** Reads a User-Agent for people, such as `Firefox, Windows`; null if it is no known browser. */
export function browserName(agent: string): { browser: string | null; isMobile: boolean } {
  const { browser, system } = deviceWords(agent)
  return {
    browser: [browser, system].filter((part) => part !== null).join(', ') || null,
    isMobile: /Mobi|Android|iPhone|iPad/.test(agent),
  }
}
