import type { UseFormReturnType } from '@mantine/form'
import { problemOf, type Problem } from '../../api/problem.ts'

/** Returns the props of the input of a field. */
export type FieldProps<T> = (name: Extract<keyof T, string>) => Record<string, unknown>

interface Fields<T> {
  field: FieldProps<T>
  /** What failed; null if nothing did, or if a field shows it. */
  problem: Problem | null
}

/** The inputs of a form, given why its save failed: a refusal of a field is shown at its input until the next save. */
export function fieldsOf<T extends object>(form: UseFormReturnType<T>, error: unknown): Fields<T> {
  const problem = error ? problemOf(error) : null
  const refused = problem && problem.field !== null && problem.field in form.values ? problem : null
  return {
    field: (name) => ({
      ...form.getInputProps(name),
      ...(refused?.field === name && { error: refused.message }),
    }),
    problem: refused ? null : problem,
  }
}
