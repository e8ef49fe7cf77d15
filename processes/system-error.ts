import { z } from 'zod'

const systemErrorSchema = z.object({
  code: z.string().catch(''),
  syscall: z.string().catch(''),
  message: z.string().catch(''),
})

/** Reads the fields of a system error, such as the code ENOENT; a field that it lacks is empty. */
export const readSystemError = (error: unknown): z.infer<typeof systemErrorSchema> =>
  systemErrorSchema.parse(Object(error))
