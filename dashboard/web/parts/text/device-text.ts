/** Browser and system as one text, such as `Firefox (Windows)`; null if neither is known. */
export const deviceText = (browser: string | null, system: string | null): string | null =>
  browser === null ? system : system === null ? browser : `${browser} (${system})`
