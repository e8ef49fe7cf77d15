/** Thrown by a step that this machine cannot make, with the reason. */
export class SkippedError extends Error {
  override name = 'SkippedError'
}

/** Runs the steps of a release, and writes a line for each. */
export class Steps {
  /** The steps that were skipped, each with its reason. */
  readonly skipped: string[] = []
  readonly #tell: (line: string) => void

  constructor(tell: (line: string) => void) {
    this.#tell = tell
  }

  /** Runs a step, whose result is a detail for its line. Throws its error, unless it was skipped. */
  async run(title: string, work: () => Promise<string>): Promise<void> {
    const startedAtMs = performance.now()
    try {
      const detail = await work()
      const seconds = Math.round((performance.now() - startedAtMs) / 1000)
      this.#tell(`✓ ${title}: ${detail} (${seconds} s)`)
    } catch (error) {
      if (!(error instanceof SkippedError)) {
        this.#tell(`✗ ${title}`)
        throw error
      }
      this.skipped.push(`${title}: ${error.message}`)
      this.#tell(`– ${title}: skipped, ${error.message}`)
    }
  }
}
