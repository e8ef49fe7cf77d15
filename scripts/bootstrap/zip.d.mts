export function unpackZip(
  archive: string,
  into: string,
  isWanted?: (path: string) => boolean,
): Promise<string[]>
