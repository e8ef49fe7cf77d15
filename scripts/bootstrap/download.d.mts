export function sha256OfFile(path: string): string
export function download(
  url: string,
  path: string,
  options: { sha256?: string; answerMs?: number; totalMs?: number },
): Promise<void>
