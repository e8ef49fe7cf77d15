/** The versions of the official program, its server and its Web UI. */
export const OFFICIAL: { version: string; server: string; ui: string }
