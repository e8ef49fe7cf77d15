const CODES = { foreignKey: '23503', unique: '23505', exclusion: '23P01' } as const

export type ViolationKind = keyof typeof CODES

/** True where PostgreSQL refused a write because of a constraint of this kind. */
export const isViolation = (error: unknown, kind: ViolationKind): boolean =>
  (error as { code?: unknown } | null)?.code === CODES[kind]
