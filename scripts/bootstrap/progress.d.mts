export interface Progress {
  say: (line: string) => void
  clear: () => void
  withProgress: <T>(title: string, work: () => Promise<T>) => Promise<T>
  reportBytes: (done: number, total: number) => void
}
export function createProgress(
  stream: { write: (text: string) => unknown; columns?: number; rows?: number },
  isInteractive: boolean,
): Progress
