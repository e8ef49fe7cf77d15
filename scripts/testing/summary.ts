import { z } from 'zod'

/** What `summary-reporter.ts` writes for `run-vitest.ts`. */
export const summarySchema = z.object({
  files: z.array(
    z.object({
      /** In the repository. */
      path: z.string(),
      /** From the start of the file to the end of its last hook. */
      seconds: z.number(),
      /** Whether it failed outside of its tests, as while it was loaded. */
      isBroken: z.boolean(),
      tests: z.array(
        z.object({
          name: z.string(),
          state: z.enum(['passed', 'failed', 'skipped', 'pending']),
          /** Why it failed at first, and where, if it passed when it was repeated. */
          firstFailure: z.string().nullable(),
        }),
      ),
    }),
  ),
})
export type Summary = z.infer<typeof summarySchema>
