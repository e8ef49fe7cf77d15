/** Codes of failures that happen in the background, with what integrators read about them. */
export type FailureTable = Readonly<Record<string, Failure>>

export interface Failure {
  /** A sentence. */
  cause: string
  /** What ends the failure, as a sentence. */
  remedy: string
}

/** The table as a list in Markdown. */
export const failureList = (table: FailureTable): string =>
  Object.entries(table)
    .map(([code, { cause, remedy }]) => `- \`${code}\`: ${cause} ${remedy}`)
    .join('\n')
