const CODES = { foreignKey: '23503', unique: '23505', exclusion: '23P01' } as const

/** True where PostgreSQL refused a write because of a constraint of this kind. */
export const isViolation = (error: unknown, kind: keyof typeof CODES): boolean =>
  (error as { code?: unknown } | null)?.code === CODES[kind]
