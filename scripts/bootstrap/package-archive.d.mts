export const LOCKED_HOST: string
export function archiveOf(place: string, entry: { name?: string; version: string }): string
