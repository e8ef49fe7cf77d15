/** Compares names of files as a person orders them: 2 before 10. */
export const { compare: compareNames } = new Intl.Collator('en', { numeric: true })
