import { useDeveloperWords } from '../words.ts'

/** Returns a function that says in plain words why an attempt failed; nothing for a code that it does not know. */
export function useFailureText(): (code: string) => string {
  const { failures } = useDeveloperWords()
  const texts = new Map<string, string>(Object.entries(failures))
  return (code) => texts.get(code) ?? ''
}

/** Returns a function that names a cause with its remedy; nothing for a cause that it does not know. */
export function useCauseText(): (cause: string) => string {
  const { causes } = useDeveloperWords()
  const texts = new Map<string, string>(Object.entries(causes))
  return (cause) => texts.get(cause) ?? ''
}
