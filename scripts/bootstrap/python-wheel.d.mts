export function unpackWheel(
  wheel: { name: string; version: string; platform?: string; sha256?: string },
  into: string,
  isWanted?: (path: string) => boolean,
): Promise<string[]>
